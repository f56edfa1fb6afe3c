// Minimal JSON-RPC 2.0 over stdio for bridge scripts. No dependencies, so it runs offline.
// serve({ method: (params) => result }) answers one JSON object per line. `health` and
// `shutdown` are built in. A handler may be async; a thrown RpcError becomes the error object.
// Every call (except health and shutdown) is appended to $BRIDGE_TRACE as "method {params}"
// with sorted keys, so two bridges can be compared by what they send.

// deno-lint-ignore-file no-explicit-any
export class RpcError extends Error {
  constructor(readonly code: number, message: string, readonly data?: unknown) {
    super(message);
  }
}

const out = new TextEncoder();
let queue = Promise.resolve();

async function write(message: unknown): Promise<void> {
  const bytes = out.encode(JSON.stringify(message) + "\n");
  queue = queue.then(async () => {
    let done = 0;
    while (done < bytes.length) {
      done += await Deno.stdout.write(bytes.subarray(done));
    }
  });
  await queue;
}

export function notify(method: string, params: unknown): Promise<void> {
  return write({ jsonrpc: "2.0", method, params });
}

function sorted(value: any): any {
  if (Array.isArray(value)) return value.map(sorted);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.keys(value).sort().map((k) => [k, sorted(value[k])]),
    );
  }
  return value;
}

function trace(line: string): void {
  try {
    const file = Deno.env.get("BRIDGE_TRACE");
    if (file) Deno.writeTextFileSync(file, line + "\n", { append: true });
  } catch {
    // Without the permissions there is nothing to trace to.
  }
}

export type Handlers = Record<string, (params: any) => unknown>;

export async function serve(handlers: Handlers): Promise<void> {
  const all: Handlers = { health: () => ({ ok: true }), ...handlers };
  const decoder = new TextDecoder();
  let pending = "";
  const running = new Set<Promise<void>>();

  const handle = async (line: string): Promise<void> => {
    const { id, method, params } = JSON.parse(line);
    if (method !== "health") {
      trace(`${method} ${JSON.stringify(sorted(params ?? null))}`);
    }
    const fn = all[method];
    const wantsReply = id !== undefined;
    if (!fn) {
      if (wantsReply) {
        await write({
          jsonrpc: "2.0",
          id,
          error: { code: -32601, message: "Method not found" },
        });
      }
      return;
    }
    try {
      const result = await fn(params);
      if (wantsReply) {
        await write({ jsonrpc: "2.0", id, result: result ?? null });
      }
    } catch (e) {
      const code = e instanceof RpcError ? e.code : -32603;
      const message = e instanceof Error ? e.message : String(e);
      if (wantsReply) {
        await write({ jsonrpc: "2.0", id, error: { code, message } });
      }
    }
  };

  for await (const chunk of Deno.stdin.readable) {
    pending += decoder.decode(chunk, { stream: true });
    let newline: number;
    while ((newline = pending.indexOf("\n")) >= 0) {
      const line = pending.slice(0, newline).trim();
      pending = pending.slice(newline + 1);
      if (line === "") continue;
      if (
        line.includes('"shutdown"') && JSON.parse(line).method === "shutdown"
      ) {
        await Promise.all(running);
        // Leave a moment for the peer to close its end first; see README.
        setTimeout(() => Deno.exit(0), 50);
        continue;
      }
      const job = handle(line);
      running.add(job);
      job.finally(() => running.delete(job));
    }
  }
}
