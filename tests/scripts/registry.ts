// The network as scripts see it: JSR with @demo/greet, npm with demo-shout, and a server of plain modules. The files are those of
// the folder that is named first; the address goes into the file that is named second.
const [folder, address] = Deno.args;

const bytes = (path: string) => Deno.readFileSync(`${folder}/${path}`);
const digest = async (algorithm: string, path: string) =>
  new Uint8Array(await crypto.subtle.digest(algorithm, bytes(path)));

async function handle(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  switch (pathname) {
    case "/@demo/greet/meta.json":
      return Response.json({ latest: "1.0.0", versions: { "1.0.0": {} } });
    case "/@demo/greet/1.0.0_meta.json": {
      const checksum = `sha256-${
        (await digest("SHA-256", "greet.ts")).toHex()
      }`;
      const file = { size: bytes("greet.ts").length, checksum };
      return Response.json({
        manifest: { "/mod.ts": file },
        exports: { ".": "./mod.ts" },
      });
    }
    case "/@demo/greet/1.0.0/mod.ts":
      return new Response(bytes("greet.ts"));
    case "/npm/demo-shout": {
      const sum = (await digest("SHA-512", "shout.tgz")).toBase64();
      const dist = {
        tarball: `${origin}/shout.tgz`,
        integrity: `sha512-${sum}`,
      };
      const version = { name: "demo-shout", version: "1.0.0", dist };
      return Response.json({
        name: "demo-shout",
        "dist-tags": { latest: "1.0.0" },
        versions: { "1.0.0": version },
      });
    }
    default:
      try {
        const type = pathname.endsWith(".ts")
          ? "application/typescript"
          : "application/octet-stream";
        return new Response(bytes(pathname), {
          headers: { "content-type": type },
        });
      } catch {
        return new Response(null, { status: 404 });
      }
  }
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen({ port }) {
    Deno.writeTextFileSync(`${address}.new`, `http://127.0.0.1:${port}`);
    Deno.renameSync(`${address}.new`, address);
  },
}, handle);
