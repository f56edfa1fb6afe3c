// A resource that takes a minute to make.
import { type Params, serve } from "./rpc.ts";

await serve({
  async create({ props }: Params) {
    Deno.writeTextFileSync(props.started, "");
    await new Promise((done) => setTimeout(done, 60_000));
    return { id: "thing", state: {} };
  },
  read: ({ props }: Params) => ({ props, state: {} }),
  delete: () => ({ done: true }),
});
