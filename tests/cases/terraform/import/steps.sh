# An object that is there already, taken over by its JSON id.
printf '{"file":"record.json","value":"by hand"}\n' > record.json
id='{"id":"record.json","path":"../scripts/record.ts","permissions":{"allow":["read","write","env=RECORD_TRACE"]}}'

step "import by the command"
run tf import denobridge_resource.record "$id"
run tf plan -detailed-exitcode

step "import by a block"
quiet terraform state rm denobridge_resource.record
printf 'import {\n  to = denobridge_resource.record\n  id = jsonencode(%s)\n}\n' "$id" > import.tf
run tf_apply
rm import.tf

step "what is not there cannot be imported"
quiet terraform state rm denobridge_resource.record
rm record.json
run tf import denobridge_resource.record "$id"

step "an id must say what and by which script"
run tf import denobridge_resource.record record.json
run tf import denobridge_resource.record '{"id":"record.json"}'
run tf import denobridge_resource.record '{"path":"../scripts/record.ts"}'
