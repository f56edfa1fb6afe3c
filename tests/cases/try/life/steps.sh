# The whole life of a record without Terraform or Pulumi, and then step by step with a state file.
permissions=(--allow read,write --allow env=RECORD_TRACE)
first='{"file":"record.json","value":1}'
step "the whole life"
run denobridge try ../scripts/record.ts "${permissions[@]}" --props "$first" --then '{"file":"record.json","value":2}'
on_disk record.json

step "step by step"
quiet denobridge try ../scripts/record.ts "${permissions[@]}" --props "$first" --state state.json
on_disk record.json
printf '{"file":"record.json","value":"by hand"}\n' > record.json
run denobridge try ../scripts/record.ts "${permissions[@]}" --props "$first" --state state.json --plan
run denobridge try ../scripts/record.ts "${permissions[@]}" --state state.json --destroy
on_disk record.json state.json
