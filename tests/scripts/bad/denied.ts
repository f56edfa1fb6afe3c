// Touches what it was not allowed to.
import { serve } from "../rpc.ts";

await serve({
  create: () => ({
    id: "never",
    state: { text: Deno.readTextFileSync("/etc/hostname") },
  }),
});
