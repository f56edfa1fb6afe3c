# A registry on this machine, with a certificate and signatures of its own. Sourced by cases.

# Starts it, for providers that are each given by name, version and program, and makes the tools here trust it. It ends with the
# case, whose descriptor 3 it reads. Sets `host`.
registry() {
  mkdir "$SANDBOX/registry"
  exec 3> >(exec loopback-registry "$SANDBOX/registry" "$@" > "$SANDBOX/registry/log" 2>&1)
  await "$SANDBOX/registry/host"
  host=$(cat "$SANDBOX/registry/host")
  export SSL_CERT_FILE=$SANDBOX/registry/ca.pem PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR=$SANDBOX/cache TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
  touch "$TF_CLI_CONFIG_FILE"
}
