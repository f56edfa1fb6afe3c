import { RpcError, serve } from "../lib/rpc.ts";
await serve({
  open({ props }) {
    return {
      result: { label: "label" },
      sensitiveResult: { token: props.value },
      privateData: { lease: "L1", close: props.close },
      ...(props.renewIn > 0
        ? { renewAt: Math.floor(Date.now() / 1000) + props.renewIn }
        : {}),
    };
  },
  renew({ privateData }) {
    return { privateData: { ...privateData, lease: "L2" } };
  },
  close({ privateData }) {
    if (privateData.close === "absent") {
      throw new RpcError(-32601, "Method not found");
    }
    if (privateData.close === "error") {
      throw new RpcError(-32000, "lease server is down");
    }
    if (privateData.close === "null") return null;
    return { done: true };
  },
});
