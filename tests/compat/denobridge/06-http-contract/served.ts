// Answers from answers.json ({ "/path": [status, body] }) or with the usual reply for the path.
// Every request except /health goes to $BRIDGE_TRACE.
// deno-lint-ignore-file no-explicit-any
const table: Record<string, [number, any]> = (() => {
  try {
    return JSON.parse(Deno.readTextFileSync("answers.json"));
  } catch {
    return {};
  }
})();
const usual: Record<string, (body: any) => [number, any]> = {
  "/health": () => [204, undefined],
  "/create": (b) => [200, { id: b.props.key, state: { made: true } }],
  "/read": (
    b,
  ) => [
    200,
    "id" in b
      ? { props: b.props, state: { made: true } }
      : { answer: b.props.query },
  ],
  "/update": () => [200, { state: { made: true } }],
  "/delete": () => [204, undefined],
  "/open": () => [200, { result: { token: "t" }, private: { lease: 1 } }],
};

export default {
  async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const text = await request.text();
    const file = Deno.env.get("BRIDGE_TRACE");
    if (path !== "/health" && file) {
      const sorted = text === ""
        ? ""
        : JSON.stringify(JSON.parse(text), (_, v) =>
          v !== null && typeof v === "object" && !Array.isArray(v)
            ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, v[k]]))
            : v);
      Deno.writeTextFileSync(file, `${request.method} ${path} ${sorted}\n`, {
        append: true,
      });
    }
    const [status, body] = table[path] ??
      usual[path]?.(text === "" ? {} : JSON.parse(text)) ??
      [404, "no such path"];
    return body === undefined
      ? new Response(null, { status })
      : Response.json(body, { status });
  },
};
