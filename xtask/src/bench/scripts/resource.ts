// A resource that does nothing, for the bench: what is measured is everything around the script.

/** Every process leaves a line here when it starts, so that the bench can count them. */
Deno.writeTextFileSync(
  new URL("starts.log", import.meta.url),
  `${Deno.pid}\n`,
  { append: true },
);

interface Request {
  id?: number;
  method: string;
  params?: { id?: string; props?: { name: string }; state?: unknown };
}

function answer({ method, params }: Request): unknown {
  switch (method) {
    case "health":
      return { ok: true };
    case "create":
      return { id: params?.props?.name, state: { created: true } };
    case "read":
      return { props: params?.props, state: { created: true } };
    case "update":
      return { state: { created: true } };
    case "delete":
      return { done: true };
    case "shutdown":
      return {};
  }
}

const encoder = new TextEncoder();

function write(message: Record<string, unknown>): void {
  let rest = encoder.encode(
    JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n",
  );
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

let pending = "";
for await (
  const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (pending + chunk).split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) {
    const request: Request = JSON.parse(line);
    const result = answer(request);
    if (request.id !== undefined) {
      const error = { code: -32601, message: `no method ${request.method}` };
      write(
        result === undefined
          ? { id: request.id, error }
          : { id: request.id, result },
      );
    }
    if (request.method === "shutdown") Deno.exit(0);
  }
}
