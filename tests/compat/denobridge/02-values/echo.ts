import { serve } from "../lib/rpc.ts";
await serve({
  read: ({ props }) => ({
    result: { json: JSON.stringify(props.value ?? null) },
  }),
});
