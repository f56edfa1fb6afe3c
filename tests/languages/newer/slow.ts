// What the newer version of examples/infra has more: a resource that takes its time.
import { type Params, serve } from "../../scripts/rpc.ts";

const pause = (seconds: number) =>
  new Promise((done) => setTimeout(done, seconds * 1000));

await serve({
  health: () => ({ ok: true }),
  schema: () => ({
    kind: "resource",
    props: {
      type: "object",
      properties: { seconds: { type: "integer" } },
      required: ["seconds"],
    },
  }),
  async create({ props }: Params) {
    await pause(props.seconds);
    return { id: "slow", state: {} };
  },
  read: ({ props, state }: Params) => ({ props, state }),
  update: () => ({ state: {} }),
  delete: () => ({}),
});
