// Prints pages and tells how far it is, as an action or as a resource. props: { pages, jam? }.
import { type Params, RpcError, serve, write } from "./rpc.ts";

function print({ pages, jam }: Params) {
  const file = "printed";
  for (let page = 1; page <= pages; page++) {
    const message = `page ${page} of ${pages}`;
    write({ jsonrpc: "2.0", method: "invokeProgress", params: { message } });
    if (page === jam) throw new RpcError(-32000, `paper jam on page ${page}`);
    Deno.writeTextFileSync(file, message + "\n", { append: true });
  }
}

await serve({
  invoke({ props }: Params) {
    print(props);
    return { done: true };
  },
  create({ props }: Params) {
    print(props);
    return { id: "print", state: {} };
  },
  read: ({ props, state }: Params) => ({ props, state }),
  update({ nextProps }: Params) {
    print(nextProps);
    return { state: {} };
  },
  delete: () => ({ done: true }),
});
