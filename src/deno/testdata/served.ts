// A script of the HTTP contract. It remembers what it was asked, and answers as it was told to.
// deno-lint-ignore-file no-explicit-any
let told: Record<string, [number, any?]> = {};
const asked: string[] = [];
const usual: Record<string, (body: any) => [number, any?]> = {
  "/health": () => [204],
  "/create": (body) => [200, { id: body.props.key, state: { made: true } }],
  "/read": (body) =>
    "id" in body
      ? [200, { props: body.props, state: { made: true } }]
      : [200, [body.props.query]],
  "/update": () => [204],
  "/delete": () => [204],
  "/open": () => [
    200,
    { result: { token: "t" }, renewAt: 5, private: { lease: 1 } },
  ],
  "/tell": (body) => (told = body, [200, null]),
  "/asked": () => [200, { result: asked.splice(0) }],
  "/pid": () => [200, { pid: Deno.pid, main: import.meta.main }],
};

export default {
  async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const text = await request.text();
    if (!["/health", "/tell", "/asked", "/pid"].includes(path)) {
      asked.push(`${request.method} ${path} ${text}`);
    }
    if (path === "/invoke") {
      const lines = ["one", "two"].map((message) =>
        JSON.stringify({ message })
      );
      return new Response(lines.join("\n") + "\n");
    }
    if (path === "/exit") Deno.exit(3);
    if (path === "/hang") await new Promise(() => {});
    const body = text === "" ? {} : JSON.parse(text);
    const [status, answer] = told[path] ?? usual[path]?.(body) ??
      [404, "no such path"];
    return answer === undefined
      ? new Response(null, { status })
      : Response.json(answer, { status });
  },
} satisfies Deno.ServeDefaultExport;
