// An object whose `read` leaves out its states, which nobody can have wanted.
import { type Params, serve } from "./rpc.ts";

await serve({
  create: () => ({
    id: "x",
    state: { n: 1 },
    sensitiveState: { key: "hidden" },
  }),
  read: ({ props }: Params) => ({ props }),
  update: () => ({ state: { n: 1 } }),
  delete: () => ({ done: true }),
});
