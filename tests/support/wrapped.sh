# A provider of somebody else behind ours, under Terraform. Sourced by cases.

# Wraps a program in PROGRAMS under an address and a version, and makes it the one that Terraform finds. Further arguments are for
# `denobridge wrap`.
wrapped() {
  export TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
  denobridge wrap "$PROGRAMS/$1" --as "$2" --version "$3" --dir "$SANDBOX/mirror" "${@:4}" |
    sed -n '/^provider_installation/,/^}/p' > "$TF_CLI_CONFIG_FILE"
}
