// A DNS host for trying the scripts: its API, with all that it has in memory.
// It knows the zone example.org and the token "open sesame".
//
//   deno run --allow-net=127.0.0.1 host.ts [PORT]
import type { DnsRecord } from "./api.ts";

/** What the host has. */
export interface Host extends AsyncDisposable {
  address: string;
  records: Map<string, DnsRecord>;
  sessions: Set<string>;
  /** The servers that were flushed, in order. */
  flushed: string[];
}

const TOKEN = "open sesame";
const ZONE = "example.org";

const json = (body: unknown, status = 200) => Response.json(body, { status });
const error = (status: number, text: string) => new Response(text, { status });

/** Begins to serve; with port 0 on any that is free. */
export function serve(port = 0, tell: (line: string) => void = () => {}): Host {
  const records: Host["records"] = new Map();
  const sessions: Host["sessions"] = new Set();
  const flushed: string[] = [];
  let serial = 1;

  const record = async (request: Request, key: string, path: string) => {
    const known = records.get(key);
    if (!known) return error(404, `there is no ${path}`);
    if (request.method === "GET") return json(known);
    serial++;
    if (request.method === "DELETE") return json(records.delete(key));
    records.set(key, { ...known, ...await request.json() });
    return json(records.get(key));
  };

  const inZone = async (request: Request, kind?: string) => {
    if (!kind) return json({ serial });
    if (kind === "sessions") return json(session(crypto.randomUUID()));
    if (request.method === "GET") return json([...records.values()]);
    const made: DnsRecord = await request.json();
    const key = `${made.name}/${made.type}`;
    if (records.has(key)) return error(409, `${key} is there already`);
    serial++;
    records.set(key, made);
    return json(made, 201);
  };

  const session = (id: string) => {
    sessions.add(id);
    const expires = Math.floor(Date.now() / 1000) + 3600;
    return { id, token: `session-${id}`, expires };
  };

  const handle = async (request: Request) => {
    if (request.headers.get("authorization") !== `Bearer ${TOKEN}`) {
      return error(401, "who are you?");
    }
    const { pathname } = new URL(request.url);
    const [first, second, third, ...rest] = pathname.slice(1).split("/");
    switch (first) {
      case "zones":
        if (second !== ZONE) return error(404, `there is no zone ${second}`);
        if (rest.length > 0) {
          return await record(request, rest.join("/"), pathname);
        }
        return await inZone(request, third);
      case "sessions":
        if (!sessions.has(second)) return error(404, "there is no session");
        if (request.method === "DELETE") return json(sessions.delete(second));
        return json(session(second));
      case "servers":
        flushed.push(second);
        return json({});
      default:
        return error(404, `there is no ${pathname}`);
    }
  };

  const server = Deno.serve({
    hostname: "127.0.0.1",
    port,
    onListen: ({ port }) => tell(`http://127.0.0.1:${port}`),
  }, handle);
  return {
    address: `http://127.0.0.1:${server.addr.port}`,
    records,
    sessions,
    flushed,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

if (import.meta.main) serve(Number(Deno.args[0] ?? 8053), console.log);
