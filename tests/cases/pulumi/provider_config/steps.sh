# What scripts are told once by the provider's configuration, and that a change of it changes no resource.
stack
noted() { sort -u notes; rm notes; }

step "create"
pulumi config set --path denobridge:config.region eu
pulumi config set --secret denobridge:sensitiveConfig '{"token": "canary-token-one"}'
run pu_up
noted

step "another token is no change of the resource"
pulumi config set --secret denobridge:sensitiveConfig '{"token": "canary-token-two"}'
run pu_preview
run pu_up

step "refresh and delete have the new one"
run pu_refresh
run pu_destroy
noted

step "no secret is anywhere"
exported > state.json
nowhere canary- state.json Pulumi.dev.yaml "$SANDBOX/backend"
