# Sourced by cases about examples/infra. Copies the examples and their library, with zod as the tests of the library have it
# already, so that nothing is downloaded. The package is ./infra, beside the case's own files.
cp -R "$PROJECT/script-sdk" "$SANDBOX"
cp -R "$PROJECT/examples/infra" "$PROJECT/examples/deno.json" .
npm=$(env -u DENO_DIR deno info --json | pick 'it["npmCache"]' | tr -d '"')
# One folder for each registry.
for zod in "$npm"/*/zod; do
  [ -d "$zod" ] || continue
  registry=$DENO_DIR/npm/$(basename "$(dirname "$zod")")
  mkdir -p "$registry"
  cp -R "$zod" "$registry"
done
# Where descriptions are remembered.
export XDG_CACHE_HOME=$SANDBOX/cache
# The SDK of a package of scripts, as `pulumi package add` makes it.
sdk() {
  rm -rf sdks
  pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks --non-interactive -- "$@" 2>&1
}
