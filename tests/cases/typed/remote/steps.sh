# A package at a URL. Its SDK keeps what it was made of, down to the modules that scripts import: other code is never run.
. "$SUPPORT/infra.sh"
mkdir site
cp "$SCRIPTS/rpc.ts" site
greeting() { echo "export const greeting = \"$1\";" > site/greeting.ts; }
manifest() { echo "{\"name\":\"notes\",\"version\":\"$1\",\"scripts\":[\"note.ts\"]}" > site/denobridge.json; }
cat > site/note.ts <<'END'
import { greeting } from "./greeting.ts";
import { type Params, serve } from "./rpc.ts";

const text = { type: "string" };
await serve({
  health: () => ({ ok: true }),
  schema: () => ({
    kind: "resource",
    props: { type: "object", properties: { text }, required: ["text"] },
    state: { type: "object", properties: { said: text }, required: ["said"] },
  }),
  create: ({ props }: Params) => ({ id: "note", state: { said: `${greeting} ${props.text}` } }),
  read: ({ props, state }: Params) => ({ props, state }),
  delete: () => ({}),
});
END
greeting hello
manifest 1.2.0
python3 "$SUPPORT/site.py" "$SANDBOX/address" &
trap 'kill %1 2> /dev/null' EXIT
until [ -e "$SANDBOX/address" ]; do sleep 0.05; done
site=$(cat "$SANDBOX/address")
# What is there already is used; somebody else has nothing yet.
elsewhere() { export DENO_DIR=$SANDBOX/elsewhere-$1 XDG_CACHE_HOME=$SANDBOX/elsewhere-$1; }
# The error alone. The lock, and so its place in the cache, has the port in it.
said() {
  pulumi preview --non-interactive --color never 2>&1 | sed -E 's/\x1b\[[0-9;]*m//g; s/[0-9a-f]{64}/[DIGEST]/' |
    sed -n '/^    Error: /,/^ *on Pulumi.yaml/p' | sed '$d'
}

step "a manifest, and the script that it names"
run sdk "$site/denobridge.json"
quiet stack
run pu_up

step "the same code on another machine"
elsewhere 1
run pu_preview --expect-no-changes

step "a module that the script imports is another one"
greeting goodbye
elsewhere 2
said

step "so is the manifest"
greeting hello
manifest 1.2.1
said

step "a new SDK"
run sdk "$site/denobridge.json"
run pu_preview --expect-no-changes

step "a script alone; what is no package"
sdk "$site/note.ts"
grep -A 2 parameterization: sdks/yaml/*.yaml
refused sdk "$site/none.ts"
refused sdk "$site/greeting.ts"
refused sdk "$site/none/denobridge.json"
echo '{"name":"notes","scripts":["*.ts"]}' > site/denobridge.json
refused sdk "$site/denobridge.json"
