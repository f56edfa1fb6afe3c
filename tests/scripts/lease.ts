// A token that is leased: opened, renewed and given back, each noted in the file that LEASE_TRACE names.
//
// props: { secret, renewIn?, renewAt?, close? }. `renewIn` is in seconds. `close` says how to answer "close".
import { type Params, RpcError, serve } from "./rpc.ts";

function trace(line: string) {
  const file = Deno.env.get("LEASE_TRACE");
  if (file) Deno.writeTextFileSync(file, line + "\n", { append: true });
}

const soon = (seconds?: number) =>
  seconds === undefined ? undefined : Math.floor(Date.now() / 1000) + seconds;

await serve({
  open({ props }: Params) {
    trace("open");
    return {
      result: { label: "lease", tags: ["a", "b"], mixed: [1, "a", null] },
      sensitiveResult: { token: `token for ${props.secret}` },
      renewAt: props.renewAt ?? soon(props.renewIn),
      privateData: { lease: 1, ...props },
    };
  },
  renew({ privateData }: Params) {
    trace(`renew lease ${privateData.lease}`);
    if (privateData.renewFails) {
      throw new RpcError(-32000, "the lease server is down");
    }
    return {
      renewAt: privateData.renewAt ?? soon(privateData.renewIn),
      privateData: { ...privateData, lease: privateData.lease + 1 },
    };
  },
  close({ privateData }: Params) {
    trace(`close lease ${privateData.lease}`);
    switch (privateData.close) {
      case "absent":
        throw new RpcError(-32601, "Method not found");
      case "fails":
        throw new RpcError(
          -32000,
          `the lease server refuses ${privateData.secret}`,
        );
      case "not done":
        return { done: false };
      case "null":
        return null;
      case "warning":
        return {
          diagnostics: [{
            severity: "warning",
            summary: "Given back late",
            detail: "It had expired.",
          }],
        };
      default:
        return { done: true };
    }
  },
});
