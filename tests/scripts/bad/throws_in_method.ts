import { serve } from "../rpc.ts";

await serve({
  create() {
    throw new Error("the API said 503");
  },
});
