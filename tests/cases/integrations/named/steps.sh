# The configuration of the embedded provider names a file of integrations.
brief() { grep -oE '(Warning|Error): .*|^Plan: .*' | sort | uniq -c | sed 's/^ *//' | same_run; }
said() { grep -oE "(error|warning): .*(\[policy\]|integrations).*|4 to create" | sort -u | same_run; }
same_run() { sed 's|/[0-9-]*\.jsonl|/RUN.jsonl|'; }
ended() { if [ -e ended ]; then sort ended | uniq -c | sed 's/^ *//'; rm ended; else echo "none was started"; fi; }

step "Terraform: it is asked"
tf plan | brief
ended
refused tf plan -var value=forbidden | brief
ended

step "the user's environment goes before it"
DENOBRIDGE_INTEGRATIONS='' tf plan | brief
ended

step "nothing is planned without the file"
refused tf plan -var file=nowhere.toml

step "nor when it is not known yet which"
refused tf plan -var late=true | grep -A 8 '^Error'

step "a report that cannot be written is no reason not to plan, and is told once"
touch taken
(
  echo 'report = "taken"'
  cat policy.toml
) > reported.toml
tf plan -var file=reported.toml | brief
ended

step "validation starts nothing"
quiet terraform validate
ended

step "Pulumi: it is asked, for the provider that names it"
stack
quiet pulumi config set denobridge:integrations policy.toml
pu_preview | said
ended
quiet pulumi config set value forbidden
refused pu_preview | said
ended

step "a report that cannot be written"
quiet pulumi config set denobridge:integrations reported.toml
quiet pulumi config rm value
pu_preview | said
ended
quiet pulumi config set denobridge:integrations policy.toml
quiet pulumi config set value forbidden

step "without a preview, it is asked about the plan when the object is made"
refused pu_up | said
ended

step "nothing is previewed without the file"
quiet pulumi config set denobridge:integrations nowhere.toml
refused pu_preview | said
ended
