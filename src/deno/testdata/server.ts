// The smallest server of the contract: one message a line, methods in the switch below.
// deno-lint-ignore-file no-explicit-any
export const health: any = { ok: true };
const write = (text: string) =>
  Deno.stdout.writeSync(new TextEncoder().encode(text));
const send = (message: any) =>
  write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let calls = 0;

async function call(id: any, method: string, params: any): Promise<any> {
  switch (method) {
    case "health":
      return health;
    case "pid":
      return { pid: Deno.pid, call: ++calls };
    case "sleep":
      await sleep(params.ms);
      return { pid: Deno.pid };
    /* CASES */
    case "shutdown":
      send({ id, result: {} });
      Deno.exit(0);
  }
  throw { code: -32601, message: "Method not found" };
}

let rest = "";
for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) continue;
    call(id, method, params).then(
      (result) => result !== send && send({ id, result }),
      (error) =>
        send({
          id,
          error: {
            code: error.code ?? -32000,
            message: error.message,
            data: error.data,
          },
        }),
    );
  }
}
