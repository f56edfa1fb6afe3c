import { serve } from "../lib/rpc.ts";
await serve({
  read: async () => ({
    result: (await Deno.permissions.query({ name: "write", path: "elsewhere" }))
      .state,
  }),
});
