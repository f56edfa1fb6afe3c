// Keeps only the length of the token it was given, in user.json.
import { serve } from "../lib/rpc.ts";
const nap = (seconds: number) =>
  new Promise((r) => setTimeout(r, seconds * 1000));
const keep = (secrets?: { token?: string }) => {
  const state = { tokenLength: secrets?.token?.length ?? null };
  Deno.writeTextFileSync("user.json", JSON.stringify(state));
  return state;
};
await serve({
  async create({ props, writeOnlyProps }) {
    await nap(props.slow);
    return { id: props.name, state: keep(writeOnlyProps) };
  },
  read: ({ props }) => ({
    props,
    state: JSON.parse(Deno.readTextFileSync("user.json")),
  }),
  update: ({ nextWriteOnlyProps }) => ({ state: keep(nextWriteOnlyProps) }),
  delete: () => ({ done: true }),
});
