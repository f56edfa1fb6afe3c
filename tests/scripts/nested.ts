// A resource whose state is as deep as it was asked for.
import { type Params, serve } from "./rpc.ts";

function state({ levels }: Params) {
  let inner: unknown = "bottom";
  for (let level = 0; level < levels; level++) inner = { a: inner };
  return { state: { inner } };
}

await serve({
  create: ({ props }: Params) => ({ id: "thing", ...state(props) }),
  read: ({ props }: Params) => ({ props, ...state(props) }),
  update: ({ nextProps }: Params) => state(nextProps),
  delete: () => ({ done: true }),
});
