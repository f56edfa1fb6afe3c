// A data source that says which props it gets.
import { type Params, serve } from "./rpc.ts";

await serve({
  read: ({ props }: Params) => ({
    result: { got: `props: ${JSON.stringify(props)}` },
  }),
});
