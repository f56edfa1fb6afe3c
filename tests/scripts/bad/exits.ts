// Ends in the middle of a call.
import { serve } from "../rpc.ts";

await serve({
  create() {
    console.error("cannot go on");
    Deno.exit(3);
  },
});
