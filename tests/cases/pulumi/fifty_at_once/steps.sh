# Fifty resources with as many calls at once as Pulumi will make.
python3 "$SUPPORT/generate_records.py" 50 > Pulumi.yaml
mkdir records
stack
quiet pulumi up --yes --skip-preview --non-interactive --parallel 50
step "all of them are there"
same "$(find records -name '*.json' | wc -l)" 50
for number in $(seq 0 49); do
  same "$(cat "records/$number.json")" "{\"file\":\"records/$number.json\",\"value\":$number,\"passwordLength\":null}"
done
run pu_preview --expect-no-changes
step "and gone again"
quiet pulumi destroy --yes --skip-preview --non-interactive --parallel 50
same "$(find records -name '*.json' | wc -l)" 0
