// Looks up what its props say: `answer` is the answer's JSON as text; without it, the props themselves are the result.
import { type Params, serve } from "./rpc.ts";

await serve({
  read({ props }: Params) {
    if (props.answer !== undefined) return JSON.parse(props.answer);
    return { result: { sent: JSON.stringify(props), props } };
  },
});
