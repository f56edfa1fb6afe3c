// Takes props.ms for a `create`, and starts processes of its own when props.starts says so.
import { type Params, serve } from "./rpc.ts";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

await serve({
  async create({ props }: Params) {
    if (props.starts) {
      new Deno.Command("sh", { args: ["-c", "sleep 600 & sleep 600"] }).spawn();
    }
    Deno.writeTextFileSync("begun", "");
    await pause(props.ms);
    Deno.writeTextFileSync("made", "");
    return { id: "slow", state: { took: props.ms } };
  },
  read: ({ props, state }: Params) => ({ props, state }),
  update: () => ({ state: {} }),
  delete() {
    Deno.removeSync("made");
    return { done: true };
  },
});
