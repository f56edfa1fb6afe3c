// Functions that follow from their arguments alone, but for one that tries to look around.
import { type Params, RpcError, serve } from "./rpc.ts";

const functions: Record<string, (...args: Params[]) => unknown> = {
  slug: (text: string) =>
    text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""),
  count: (...args: unknown[]) => args.length,
  echo: (...args: unknown[]) => args,
  nothing: () => null,
  home: () => Deno.env.get("HOME"),
};

await serve({
  call({ function: name, arguments: args }: Params) {
    if (name === "port") {
      const problem = { severity: "error", summary: "Not a port" };
      return args[0] > 0 && args[0] < 65536
        ? { result: args[0] }
        : { diagnostics: [{ ...problem, propPath: ["arguments", 0] }] };
    }
    if (!functions[name]) {
      throw new RpcError(-32602, `There is no function ${name}`);
    }
    return { result: functions[name](...args) };
  },
});
