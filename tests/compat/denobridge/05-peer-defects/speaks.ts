// A notification that only an action is expected to send.
console.log(
  JSON.stringify({
    jsonrpc: "2.0",
    method: "invokeProgress",
    params: { message: "hello" },
  }),
);
await import("./any.ts");
