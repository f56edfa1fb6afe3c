// A close handler that returns nothing, sent as a reply without "result".
// deno-lint-ignore-file no-explicit-any
const decoder = new TextDecoder();
for await (const chunk of Deno.stdin.readable) {
  for (
    const line of decoder.decode(chunk).split("\n").filter((l) => l.trim())
  ) {
    const m: any = JSON.parse(line);
    if (m.method === "shutdown") setTimeout(() => Deno.exit(0), 50);
    if (m.id === undefined) continue;
    const result = m.method === "health"
      ? { ok: true }
      : m.method === "open"
      ? { result: "r" }
      : undefined;
    console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }));
  }
}
