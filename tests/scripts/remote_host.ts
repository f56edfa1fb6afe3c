// Another machine: serves served.ts below /scripts/served over TLS to who has the token. It writes its address to the file
// $ADDRESS, and what it is asked and answers to $TRAFFIC, a JSON line each.
import served from "./served.ts";

const [address, token, traffic] = ["ADDRESS", "TOKEN", "TRAFFIC"].map((name) =>
  Deno.env.get(name)!
);
const base = "/scripts/served";
const tls = new URL("./tls/", import.meta.url);

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(`${base}/`)) {
    return new Response(null, { status: 404 });
  }
  if (request.headers.get("authorization") !== `Bearer ${token}`) {
    return Response.json({ error: "Who are you?" }, { status: 401 });
  }
  const path = pathname.slice(base.length);
  const body = request.method === "GET" ? undefined : await request.text();
  const inside = new Request(new URL(path, request.url), {
    method: request.method,
    body,
  });
  const response = await served.fetch(inside);
  const answer = await response.clone().text();
  const line = {
    method: request.method,
    path,
    body,
    status: response.status,
    answer,
  };
  Deno.writeTextFileSync(traffic, JSON.stringify(line) + "\n", {
    append: true,
  });
  return response;
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  cert: Deno.readTextFileSync(new URL("host.crt", tls)),
  key: Deno.readTextFileSync(new URL("host.key", tls)),
  onListen({ port }) {
    // Renamed, so that nobody reads half of it.
    Deno.writeTextFileSync(`${address}.new`, `https://localhost:${port}`);
    Deno.renameSync(`${address}.new`, address);
  },
}, handle);
