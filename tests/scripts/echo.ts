// An object that is nothing but its props, which are its state too. Nothing is kept anywhere.
import { type Params, serve } from "./rpc.ts";

await serve({
  create: ({ props }: Params) => ({ id: "echo", state: { props } }),
  read: ({ props }: Params) => ({ props, state: { props } }),
  update: ({ nextProps }: Params) => ({ state: { props: nextProps } }),
  delete: () => ({ done: true }),
});
