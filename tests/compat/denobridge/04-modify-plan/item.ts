// modifyPlan answers what answers.json holds under the plan type, or -32601 where it holds nothing.
import { RpcError, serve } from "../lib/rpc.ts";
const answers = () => {
  try {
    return JSON.parse(Deno.readTextFileSync("answers.json"));
  } catch {
    return {};
  }
};
await serve({
  create: ({ props }) => ({ id: props.label, state: { made: true } }),
  read: ({ props }) => ({ props, state: { made: true } }),
  update: () => ({ state: { made: true } }),
  delete: () => ({ done: true }),
  modifyPlan({ planType, nextProps }) {
    const answer = nextProps?.label === "follower"
      ? undefined
      : answers()[planType];
    if (answer === undefined) throw new RpcError(-32601, "Method not found");
    return answer;
  },
});
