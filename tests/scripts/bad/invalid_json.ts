// Answers the health check as it should and the call with half an object.
import { write } from "../rpc.ts";

for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  for (const line of text.split("\n").filter(Boolean)) {
    const { id, method } = JSON.parse(line);
    if (method === "health") {
      write({ jsonrpc: "2.0", id, result: { ok: true } });
    } else {Deno.stdout.writeSync(
        new TextEncoder().encode(
          `{"jsonrpc":"2.0","id":${id},"result":{"id":oops}}\n`,
        ),
      );}
  }
}
