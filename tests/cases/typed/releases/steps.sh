# A package whose scripts change, released anew: what Terraform says of each version, and what becomes of what an earlier one has
# made.
. "$SUPPORT/infra.sh"
. "$SUPPORT/note.sh"
printf 'provider_installation {\n  filesystem_mirror { path = "%s" }\n}\n' "$PWD/mirror" > mirror.rc
export TF_CLI_CONFIG_FILE=$PWD/mirror.rc
# Releases what the script says now, and has Terraform take it.
release() {
  rm -rf dist
  quiet denobridge build ./notes --version "$1" --address acme/notes --mirror mirror
  terraform init -upgrade -no-color | grep "^- Installed"
}
plan() { tf plan "$@" | grep -v ": Refreshing state"; }
note "$title, $size" '"title"'
release 1.0.0
quiet terraform apply -auto-approve

step "an edit, and another property that need not be given"
note "$title, $size, $tags" '"title"'
echo '// More to come.' >> notes/note.ts
release 1.1.0
run plan -detailed-exitcode
sed -i 's/size  = 1/&\n  tags  = ["new"]/' main.tf
run plan
quiet terraform apply -auto-approve

step "a property that must be given now"
note "$title, $size, $tags, $owner" '"title", "owner"'
release 1.2.0
refused tf validate
sed -i 's/size  = 1/&\n  owner = "somebody"/' main.tf
run plan
quiet terraform apply -auto-approve

step "another name of a property"
note "$title, length: { type: \"integer\" }, $tags, $owner" '"title", "owner"'
release 2.0.0
refused tf validate
sed -i 's/size  = 1/length = 1/' main.tf
run plan
quiet terraform apply -auto-approve

step "another type"
note "$title, length: { type: \"boolean\" }, $tags, $owner" '"title", "owner"'
release 3.0.0
sed -i 's/length = 1/length = true/' main.tf
refused tf plan

step "with another version of the state it is left out"
note "$title, length: { type: \"boolean\" }, $tags, $owner" '"title", "owner"' "stateVersion: 1,"
release 3.0.1
run plan
quiet terraform apply -auto-approve

step "an earlier release does not touch what a later one has made"
sed -i 's|source = "acme/notes"|&, version = "3.0.0"|' main.tf
terraform init -upgrade -no-color | grep "^- Installed"
refused tf plan
sed -i 's|, version = "3.0.0"||' main.tf
terraform init -upgrade -no-color | grep "^- Installed"

step "the script is called otherwise"
mv notes/note.ts notes/letter.ts
release 4.0.0
refused tf plan
sed -i 's/notes_note/notes_letter/' main.tf
refused tf plan
cp terraform.tfstate with-note.tfstate
quiet terraform state rm notes_note.first
quiet terraform plan
mv with-note.tfstate terraform.tfstate

step "destroy, with the release that has made it"
sed -i 's/notes_letter/notes_note/; s|source = "acme/notes"|&, version = "3.0.1"|' main.tf
terraform init -upgrade -no-color | grep "^- Installed"
quiet terraform destroy -auto-approve
terraform state list
