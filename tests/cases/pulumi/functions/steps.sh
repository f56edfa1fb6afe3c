# What is a function in Pulumi: a data source, functions and a list.
stack
quiet pulumi config set --secret phrase "open sesame"

step "what they return"
run pu_up
run pulumi stack output --json
pulumi stack output --json --show-secrets | pick '{name: it[name] for name in ["meaning", "secretly", "whole"]}'
exported > state.json
nowhere "the meaning of" state.json
nowhere "open sesame" state.json

step "no change is no change"
run pu_preview --expect-no-changes

wrong() {
  step "$1: $2"
  cat > Pulumi.yaml <<END
name: words
runtime: yaml
variables:
  wrong: { "fn::invoke": { function: "kinds:$1", arguments: $2 } }
outputs:
  wrong: \${wrong}
END
  run pu_preview
}
wrong getWord '{ theWord: rude }'
wrong getWord '{ theWord: unheard }'
wrong joinParts '{ putBetween: "-", allParts: [a, bad] }'
wrong splitId '{ fullId: nonsense }'
wrong listBox '{ limit: 0 }'
wrong listBox '{ atLeast: 10 }'
