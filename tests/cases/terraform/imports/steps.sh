# What scripts import (JSR, npm, an address by an import map), the lock file, and scripts at paths and addresses of every form.
# The registries are on this machine.
mkdir -p net/package
echo 'export const greet = (name: string): string => `hello ${name}`;' > net/greet.ts
echo 'export const twice = (text: string): string => `${text}, ${text}`;' > net/tools.ts
printf '{"name": "demo-shout", "version": "1.0.0", "main": "index.js"}' > net/package/package.json
echo 'module.exports = (text) => text.toUpperCase();' > net/package/index.js
tar -czf net/shout.tgz -C net package
deno run --quiet --allow-all "$SCRIPTS/registry.ts" net "$SANDBOX/registry" &
registry=$!
trap 'kill "$registry" 2> /dev/null' EXIT
until [ -e "$SANDBOX/registry" ]; do
  kill -0 "$registry" 2> /dev/null || fail "the registry has not started"
  sleep 0.05
done
host=$(cat "$SANDBOX/registry")
export JSR_URL=$host/ NPM_CONFIG_REGISTRY=$host/npm/

script() {
  cat <<'END'
import { greet } from "jsr:@demo/greet@1";
import shout from "npm:demo-shout@1";
import { twice } from "tools";
import { serve } from "RPC";

await serve({
  read: ({ props }) => ({ result: twice(shout(greet(props.name))) }),
});
END
}
script | sed 's|RPC|../scripts/rpc.ts|' > words.ts
printf '{ "imports": { "tools": "%s/tools.ts" } }\n' "$host" > deno.json
cat > "module/a script.ts" <<'END'
import { serve } from "../../scripts/rpc.ts";
await serve({ read: ({ props }) => ({ result: `in a ${props.name}` }) });
END
quiet terraform get
result() { tf plan "$@" | sed -n '/^Changes to Outputs/,/^You can/p; /^Error/,$p' | grep -v "^You can"; }

step "JSR, npm, and an address by the import map beside the script"
result
ls deno.lock

step "a script and its map, named from elsewhere"
mkdir deep && cd deep && sed 's|source = "./module"|source = "../module"|' ../main.tf > main.tf
quiet terraform get
result -var path=../words.ts
result -var "path=file://$SANDBOX/work/words.ts"
cd ..

step "without the map"
result -var config_file=/dev/null | head -12

step "a script at an address, with what it imports from there"
sed "s|import { twice } from \"tools\"|import { twice } from \"./tools.ts\"|; s|\.\./scripts/rpc|./rpc|" words.ts > net/words.ts
cp "$SCRIPTS/rpc.ts" net
result -var "path=$host/words.ts"

step "what was imported once needs no network again"
kill "$registry"
wait "$registry" 2> /dev/null
result

step "what does not match the lock file is not run"
sed -i 's|"integrity": "[0-9a-f]*"|"integrity": "0000"|' deno.lock
result > said
grep -A 4 "Integrity" said
