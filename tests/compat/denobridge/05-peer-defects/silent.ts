// Answers health, then nothing: a call that never ends.
const line = new TextDecoder().decode(
  (await Deno.stdin.readable.getReader().read()).value,
);
console.log(
  JSON.stringify({
    jsonrpc: "2.0",
    id: JSON.parse(line.split("\n")[0]).id,
    result: { ok: true },
  }),
);
setInterval(() => {}, 1000);
