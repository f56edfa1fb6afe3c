# What a script says of itself: by the library from its schemas, by hand, or not.
cp -R "$PROJECT/script-sdk" .
cat > note.ts <<'END'
import { ResourceProvider } from "./script-sdk/mod.ts";

export default new ResourceProvider<{ path: string; writeOnly?: { key: string } }, { length: number }>({
  create: ({ path }) => ({ id: path, state: { length: 0 } }),
  read: () => ({ exists: false }),
  update: () => ({ length: 0 }),
  delete: () => {},
}, {
  name: "Note",
  description: "A text file.",
  stateVersion: 1,
  schema: {
    props: {
      type: "object",
      properties: {
        path: { type: "string", "x-replaces": true },
        writeOnly: { type: "object", properties: { key: { type: "string" } } },
      },
      required: ["path"],
    },
    state: { type: "object", properties: { length: { type: "integer" } }, required: ["length"] },
  },
});
END
run denobridge try note.ts schema

step "a script that does not say, one that is none, and one that wants too much"
run denobridge try ../scripts/record.ts schema
echo 'export const shared = 1;' > shared.ts
run denobridge try shared.ts schema
echo 'export const host = Deno.env.get("HOST");' > greedy.ts
run denobridge try greedy.ts schema | sed "s|file://[^ ]*/|file:///…/|"
run denobridge try absent.ts schema | sed "s|file://[^ ]*/|file:///…/|g"
