// Manages a file on disk: its content and, if you like, its permission bits.
//
//   props  { path, content, mode? }   mode is octal text such as "0644"
//   state  { digest, size }           SHA-256 in hex, and bytes
//   id     the path
//
// It needs the permissions `read` and `write`. No dependency: it speaks the
// contract by hand, one JSON-RPC message per line on standard input and output.

interface Props {
  path: string;
  content: string;
  mode?: string;
}

interface State {
  digest: string;
  size: number;
}

/** What is to be done for each method of the contract. */
const methods = {
  health: () => ({ ok: true }),

  async create({ props }: { props: Props }) {
    const mode = parseMode(props.mode);
    // createNew fails where a file is already: taking over what somebody else
    // made is what import is for.
    await Deno.writeTextFile(props.path, props.content, { createNew: true });
    if (mode !== undefined) await Deno.chmod(props.path, mode);
    return { id: props.path, state: await describe(props.content) };
  },

  async read({ id, props }: { id: string; props: Props | null }) {
    try {
      const content = await Deno.readTextFile(id);
      const found: Props = { path: id, content };
      // A mode that nobody asked for is none of our business; after an import
      // there are no props yet, and everything that is there counts.
      if (props === null || props.mode != null) found.mode = await getMode(id);
      return { props: found, state: await describe(content) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { exists: false };
      throw error;
    }
  },

  async update({ id, nextProps }: { id: string; nextProps: Props }) {
    const mode = parseMode(nextProps.mode);
    await Deno.writeTextFile(id, nextProps.content);
    if (mode !== undefined) await Deno.chmod(id, mode);
    return { state: await describe(nextProps.content) };
  },

  async delete({ id }: { id: string }) {
    try {
      await Deno.remove(id);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return { done: true };
  },

  modifyPlan(
    { planType, nextProps, currentProps }: {
      planType: "create" | "update" | "delete";
      nextProps: Props | null;
      currentProps: Props | null;
    },
  ) {
    try {
      parseMode(nextProps?.mode);
    } catch (error) {
      // Said while planning, before anything has been done, and at its place.
      const detail = (error as Error).message;
      const propPath = ["props", "mode"];
      const summary = "Invalid mode";
      return {
        diagnostics: [{ severity: "error", summary, detail, propPath }],
      };
    }
    // Another path is another file.
    return {
      requiresReplacement: planType === "update" &&
        nextProps?.path !== currentProps?.path,
    };
  },

  shutdown: () => ({}),
};

async function describe(content: string): Promise<State> {
  const bytes = new TextEncoder().encode(content);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return { digest: new Uint8Array(hash).toHex(), size: bytes.length };
}

/** The permission bits as a number; nothing when none are asked for. */
function parseMode(mode: string | null | undefined): number | undefined {
  if (mode == null) return undefined;
  if (!/^[0-7]{3,4}$/.test(mode)) {
    throw new Error(`A mode is octal text such as "0644", not "${mode}".`);
  }
  return parseInt(mode, 8);
}

async function getMode(path: string): Promise<string | undefined> {
  const { mode } = await Deno.stat(path);
  // Windows has no permission bits.
  if (mode === null) return undefined;
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/** One call, answered. */
interface Request {
  id: number;
  method: string;
  params: unknown;
}

async function answer({ id, method, params }: Request) {
  try {
    if (!Object.hasOwn(methods, method)) {
      const error = { code: -32601, message: `Method not found: ${method}` };
      return { jsonrpc: "2.0", id, error };
    }
    const handler = methods[method as keyof typeof methods];
    const result = await (handler as (params: unknown) => unknown)(params);
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { jsonrpc: "2.0", id, error: { code: -32000, message } };
  }
}

let rest = "";
const input = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
for await (const text of input) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (line.trim() === "") continue;
    const request: Request = JSON.parse(line);
    console.log(JSON.stringify(await answer(request)));
    if (request.method === "shutdown") Deno.exit(0);
  }
}
