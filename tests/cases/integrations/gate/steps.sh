# A configuration that lies in the folder, and was not named, starts nothing unless the gate is open.
warnings() { tf plan | grep -E '^(Warning|Error): \[' || echo "nothing said"; }
started() { if [ -e started ]; then echo "started"; rm started; else echo "not started"; fi; }

step "found, and the gate is closed"
warnings
started

step "found, and the gate is open"
TF_EXPERIMENT_integration_sdk=1 warnings
started

step "named"
DENOBRIDGE_INTEGRATIONS=integrations.toml warnings
started

step "named as nothing"
TF_EXPERIMENT_integration_sdk=1 DENOBRIDGE_INTEGRATIONS='' warnings
started

step "the provider's schema and validation"
TF_EXPERIMENT_integration_sdk=1 quiet terraform providers schema -json
TF_EXPERIMENT_integration_sdk=1 quiet terraform validate
started
