# Sourced by cases about a package of one script, ./notes, whose schema changes.
mkdir -p notes
cp "$SCRIPTS/rpc.ts" notes/_rpc.ts
# Writes the script: with these props, and these of them required. What follows them are more members of what it says of itself.
note() {
  cat > notes/note.ts <<END
import { type Params, serve } from "./_rpc.ts";

await serve({
  health: () => ({ ok: true }),
  schema: () => ({
    kind: "resource",
    props: { type: "object", properties: { $1 }, required: [$2] },
    ${3:-}
  }),
  create: ({ props }: Params) => ({ id: props.title, state: {} }),
  read: ({ props }: Params) => ({ props, state: {} }),
  update: () => ({ state: {} }),
  delete: () => ({}),
});
END
}
title='title: { type: "string" }'
size='size: { type: "integer" }'
tags='tags: { type: "array", items: { type: "string" } }'
owner='owner: { type: "string" }'
