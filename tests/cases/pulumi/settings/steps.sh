# What is wrong with the provider's settings is said in the words of the program.
stack
wrong() {
  step "denobridge:$1 = $2"
  pulumi config set "denobridge:$1" "$2"
  run pu_preview
  pulumi config rm "denobridge:$1"
}
wrong limits '{"callTimeout": "soon"}'
wrong limits '{"callTimeou": 5}'
wrong limits '{"callTimeout": -1}'
wrong limits '5 seconds'
wrong nosuch 1
wrong denoVersion v1.0.0
wrong denoBinaryPath "$SANDBOX/no/deno"

step "settings that are right, as JSON, and a provider whose settings another resource tells"
pulumi config set denobridge:limits '{"callTimeout": 5}'
cat >> Pulumi.yaml <<'END'
  told:
    type: pulumi:providers:denobridge
    properties:
      limits: { callTimeout: "${record.state.length}" }
  other:
    type: denobridge:Script
    properties:
      path: ../scripts/record.ts
      props: { file: other.json }
      permissions: { allow: [read, write, env=RECORD_TRACE] }
    options: { provider: "${told}" }
END
run pu_preview
run pu_up
run pu_preview --expect-no-changes
quiet pulumi destroy --yes --skip-preview --non-interactive
