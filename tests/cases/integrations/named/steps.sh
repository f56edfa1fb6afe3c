# The configuration of the embedded provider names a file of integrations.
brief() { grep -oE '(Warning|Error): .*|^Plan: .*' | sort | uniq -c | sed 's/^ *//'; }
said() { grep -oE "(error|warning): .*(\[policy\]|integrations).*|4 to create" | sort -u; }
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

step "without a preview, it is asked about the plan when the object is made"
refused pu_up | said
ended

step "nothing is previewed without the file"
quiet pulumi config set denobridge:integrations nowhere.toml
refused pu_preview | said
ended
