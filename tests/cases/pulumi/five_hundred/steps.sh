# Where nothing is secret there is no secret: 500 resources leave not one in the exported state.
python3 "$SUPPORT/generate_records.py" 500 > Pulumi.yaml
mkdir records
stack
quiet pulumi up --yes --skip-preview --non-interactive --parallel 50
same "$(find records -name '*.json' | wc -l)" 500
exported > exported.json
step "resources, and marks of a secret among them"
pick 'len([r for r in it["resources"] if r["type"] == "denobridge:index:Script"])' < exported.json
same "$(grep -c 4dabf18193072939515e22adb298388d exported.json)" 0 "secrets in the state"
same "$(grep -c ciphertext exported.json)" 0 "ciphertexts in the state"
echo "no secret"
quiet pulumi destroy --yes --skip-preview --non-interactive --parallel 50
