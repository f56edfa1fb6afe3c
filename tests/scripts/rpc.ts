// The least that a script needs to speak the contract by hand: one JSON-RPC message per line on standard input and output.

// deno-lint-ignore no-explicit-any
export type Params = any;
export type Methods = Record<string, (params: Params) => unknown>;

/** What a script throws to choose the code and the message of its error. */
export class RpcError extends Error {
  constructor(readonly code: number, message: string, readonly data?: unknown) {
    super(message);
  }
}

export function write(message: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(message) + "\n");
  for (let done = 0; done < bytes.length;) {
    done += Deno.stdout.writeSync(bytes.subarray(done));
  }
}

async function answer(
  methods: Methods,
  method: string,
  params: Params,
): Promise<Record<string, unknown>> {
  const handler = methods[method];
  if (!handler) {
    return { error: { code: -32601, message: `Method not found: ${method}` } };
  }
  try {
    return { result: await handler(params) ?? null };
  } catch (error) {
    const { code, message, data } = error as RpcError;
    return {
      error: { code: typeof code === "number" ? code : -32000, message, data },
    };
  }
}

/** Answers requests until standard input ends or `shutdown` comes, one at a time. */
export async function serve(methods: Methods) {
  const all: Methods = {
    health: () => ({ ok: true }),
    shutdown: () => ({}),
    ...methods,
  };
  let rest = "";
  for await (
    const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  ) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((line) => line.trim() !== "")) {
      const { id, method, params } = JSON.parse(line);
      const reply = await answer(all, method, params);
      if (id !== undefined) write({ jsonrpc: "2.0", id, ...reply });
      if (method === "shutdown") Deno.exit(0);
    }
  }
}
