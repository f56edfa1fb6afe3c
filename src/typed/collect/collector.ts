// Asks every script of a package what it is, in one process without permissions. The host adds a call of `collectAll` with a
// literal `import` for each script, since only those need no permission to read.
//
// Providers of the authoring library hand themselves over. Scripts that speak JSON-RPC by hand get standard streams of their
// own, which are no streams of the process.

/** What a script turned out to be. */
type Outcome =
  | { described: unknown }
  | "undescribed"
  | "notAScript"
  | "late"
  | { failed: Failure };

interface Failure {
  message: string;
  /** Where it was thrown. */
  at?: string;
}

interface Script {
  /** Its address as stacks name it, where it has one. */
  address: string;
  load(): Promise<Record<string, unknown>>;
}

type Call = (method: string, params: unknown) => Promise<unknown>;

/** A provider that has handed itself over. */
interface Provider {
  call: Call;
  /** The module whose evaluation has made it. */
  madeBy: string | undefined;
  /** The script that was being imported then. */
  importedBy: Script;
}

const METHOD_NOT_FOUND = -32601;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const print = Deno.stdout.writeSync.bind(Deno.stdout);
const exit = Deno.exit.bind(Deno);
const pristineConsole = { ...console };
const listed = new Set<string>();
const providers: Provider[] = [];
let current: Conversation | undefined;
let lastId = 0;

/** Thrown where a script ends its process. */
class Ended extends Error {}

/** Describes the scripts one after the other, and says of each what it is as soon as that is known. */
// deno-lint-ignore no-unused-vars
async function collectAll(
  mark: string,
  limit: number,
  scripts: Script[],
): Promise<void> {
  const report = (message: unknown) => {
    let rest = encoder.encode(`\n${mark}${JSON.stringify(message)}\n`);
    while (rest.length > 0) rest = rest.subarray(print(rest));
  };
  Error.stackTraceLimit = 200;
  for (const { address } of scripts) listed.add(normal(address));
  (globalThis as Record<symbol, unknown>)[Symbol.for("denobridge.collecting")] =
    takeProvider;
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    thrown(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    thrown(event.error);
  });
  for (const [index, script] of scripts.entries()) {
    report({ begun: index });
    report({ told: [index, await describe(script, limit)] });
  }
  report("done");
  // Whatever scripts have left running.
  exit(0);
}

async function describe(script: Script, limit: number): Promise<Outcome> {
  const conversation = new Conversation(script);
  current = conversation;
  giveStreams(conversation);
  const timer = setTimeout(() => conversation.settle("late"), limit);
  script.load().then((module) => imported(module, conversation)).catch(
    (error) => {
      if (!(error instanceof Ended)) {
        conversation.settle({ failed: failure(error) });
      }
    },
  );
  const outcome = await conversation.outcome;
  clearTimeout(timer);
  return outcome;
}

/** The module has been evaluated: it is a provider, serves HTTP, reads its input, or is no script. */
async function imported(
  module: Record<string, unknown>,
  conversation: Conversation,
): Promise<void> {
  const { script } = conversation;
  // What is to be served may be so only after the modules have been evaluated.
  for (let turn = 0; turn < 2 && ownProviders(script).length === 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
  }
  const own = ownProviders(script);
  const served = module.default as
    | { fetch?: (request: Request) => unknown }
    | null
    | undefined;
  if (own.length > 1) {
    const message =
      "A script is one provider, and this one makes several: put each into a script of its own";
    conversation.settle({ failed: { message } });
  } else if (own.length === 1) {
    conversation.settle(await asked(own[0].call));
  } else if (typeof served?.fetch === "function") {
    conversation.settle(
      await askedOverHttp((request) => served.fetch?.(request)),
    );
  } else if (!conversation.isRead) {
    conversation.settle("notAScript");
  }
}

function takeProvider(call: Call): void {
  if (current) {
    providers.push({
      call,
      madeBy: evaluated(new Error().stack),
      importedBy: current.script,
    });
  }
}

/** A module that is a script itself keeps its provider, whoever imports it. */
function ownProviders(script: Script): Provider[] {
  return providers.filter(({ madeBy, importedBy }) =>
    madeBy !== undefined && listed.has(madeBy)
      ? madeBy === normal(script.address)
      : importedBy === script
  );
}

/** The module that was being evaluated: the outermost one of a stack. */
function evaluated(stack: unknown): string | undefined {
  const places = typeof stack === "string"
    ? stack.matchAll(/((?:file|https?):\/\/.+?):\d+:\d+\)?$/gm)
    : [];
  const modules = [...places].map(([, address]) => normal(address)).filter((
    address,
  ) => address !== here);
  return modules.at(-1);
}

function normal(address: string): string {
  try {
    return decodeURI(new URL(address).href);
  } catch {
    return address;
  }
}

const here = normal(import.meta.url);

async function asked(call: Call): Promise<Outcome> {
  try {
    return { described: await call("schema", {}) };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): Outcome {
  const isMissing =
    (error as { code?: unknown } | null)?.code === METHOD_NOT_FOUND;
  return isMissing ? "undescribed" : { failed: failure(error) };
}

/** A script for `deno serve`. Only what is a description counts: handlers answer anything to paths they do not know. */
async function askedOverHttp(
  handle: (request: Request) => unknown,
): Promise<Outcome> {
  const headers = { "content-type": "application/json" };
  try {
    const request = new Request("http://127.0.0.1/schema", {
      method: "POST",
      headers,
      body: "{}",
    });
    const response = await handle(request) as Response;
    const described = response.status === 200 ? await response.json() : null;
    return typeof described?.kind === "string" ? { described } : "undescribed";
  } catch {
    return "undescribed";
  }
}

function failure(error: unknown): Failure {
  if (typeof error !== "object" || error === null) {
    return { message: String(error) };
  }
  const { name, message, stack } = error as Partial<Error>;
  const text = `${name && name !== "Error" ? `${name}: ` : ""}${
    message || "no message"
  }`;
  const at = typeof stack === "string"
    ? stack.match(/((?:file|https?):\/\/[^\n]+?:\d+:\d+)\)?$/m)?.[1]
    : undefined;
  return { message: text, at: at?.includes("$deno$stdin") ? undefined : at };
}

/** Something was thrown that nobody waits for. What scripts leave behind that are done with is nobody's fault. */
function thrown(error: unknown): void {
  if (error instanceof Ended || !current) return;
  const place = evaluated((error as Partial<Error> | null)?.stack);
  const isOthers = place !== undefined && listed.has(place) &&
    place !== normal(current.script.address);
  if (!isOthers) current.settle({ failed: failure(error) });
}

/** The standard streams of a script, and what it is asked and answers over them. */
class Conversation {
  readonly outcome: Promise<Outcome>;
  /** Whether the script has asked for its input. */
  isRead = false;
  readonly settle: (outcome: Outcome) => void;
  readonly #healthy = Promise.withResolvers<void>();
  /** What it is asked, by the ids of the requests: others than any script had, since who is done with may still answer. */
  readonly #ids = { health: lastId++, schema: lastId++ };
  /** How many messages it has been given. */
  #given = 0;
  #isOver = false;
  #line = "";
  /** Lines of a message that is not complete. */
  #begun = "";

  constructor(readonly script: Script) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.settle = resolve;
    // Who is done with reads the end of its input.
    promise.then(() => {
      this.#isOver = true;
      this.#healthy.resolve();
    });
  }

  /** The next message, when it is its time; nothing at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.isRead = true;
    const number = this.#given++;
    if (number === 1) await this.#healthy.promise;
    if (number > 1) await this.outcome;
    return this.#message(number);
  }

  /** The next message, for a script that cannot wait. */
  nextNow(): Uint8Array<ArrayBuffer> | undefined {
    this.isRead = true;
    return this.#message(this.#given++);
  }

  #message(number: number): Uint8Array<ArrayBuffer> | undefined {
    const [method, id] = Object.entries(this.#ids)[number] ?? [];
    if (method === undefined || this.#isOver) return undefined;
    return encoder.encode(
      JSON.stringify({ jsonrpc: "2.0", id, method, params: {} }) + "\n",
    );
  }

  /** Takes what the script writes. */
  take(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(line + "\n");
    // The last message may lack its line end.
    if (parsed(this.#begun + this.#line) !== undefined) {
      this.#takeLine(this.#line);
      this.#line = "";
    }
  }

  #takeLine(line: string): void {
    const message = parsed(this.#begun + line) ?? parsed(line);
    const goesOn = this.#begun !== "" || line.trimStart().startsWith("{");
    this.#begun = message === undefined && goesOn ? this.#begun + line : "";
    for (const answer of Array.isArray(message) ? message : [message]) {
      this.#takeAnswer(answer);
    }
  }

  #takeAnswer(
    answer:
      | { id?: unknown; result?: unknown; error?: { message?: unknown } }
      | undefined,
  ): void {
    if (
      answer === undefined || answer === null || typeof answer !== "object" ||
      answer.id == null
    ) return;
    if (Number(answer.id) === this.#ids.health) {
      if ((answer.result as { ok?: unknown } | null | undefined)?.ok === true) {
        return this.#healthy.resolve();
      }
      const said = JSON.stringify(answer.error ?? answer.result ?? null);
      return this.settle({
        failed: {
          message: `it answered "health" with ${said} instead of {"ok": true}`,
        },
      });
    }
    if (Number(answer.id) !== this.#ids.schema) return;
    this.settle(
      answer.error ? refused(answer.error) : { described: answer.result },
    );
  }

  exited(code: number): void {
    const message = `it ended itself with exit code ${code}`;
    this.settle(code === 0 ? "notAScript" : { failed: { message } });
  }
}

/** An object or an array, if the text is one as JSON. */
// deno-lint-ignore no-explicit-any
function parsed(text: string): any {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Lets what Deno has for standard streams be those of a conversation. */
function giveStreams(conversation: Conversation): void {
  const take = (bytes: Uint8Array) => {
    conversation.take(decoder.decode(bytes));
    return bytes.length;
  };
  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const message = await conversation.next();
      if (message) controller.enqueue(message);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  const common = { close() {}, isTerminal: () => false };
  // What did not fit into what the script reads into.
  let left = new Uint8Array();
  const fill = (
    target: Uint8Array,
    message: Uint8Array<ArrayBuffer> | undefined,
  ) => {
    if (!message) return null;
    target.set(message.subarray(0, target.length));
    left = message.subarray(target.length);
    return Math.min(target.length, message.length);
  };
  const stdin = {
    ...common,
    setRaw() {},
    get readable() {
      // It may only be looked at. But who looks at it wants to read it.
      conversation.isRead = true;
      return readable;
    },
    read: async (target: Uint8Array) =>
      fill(target, left.length > 0 ? left : await conversation.next()),
    readSync: (target: Uint8Array) =>
      fill(target, left.length > 0 ? left : conversation.nextNow()),
  };
  const stdout = {
    ...common,
    writable: new WritableStream<Uint8Array>({
      write: (bytes) => void take(bytes),
    }),
    write: (bytes: Uint8Array) => Promise.resolve(take(bytes)),
    writeSync: take,
  };
  Object.defineProperty(Deno, "stdin", { value: stdin, configurable: true });
  Object.defineProperty(Deno, "stdout", { value: stdout, configurable: true });
  Object.defineProperty(Deno, "exit", {
    configurable: true,
    value: (code = Deno.exitCode) => {
      conversation.exited(code);
      throw new Ended();
    },
  });
  const line = (...data: unknown[]) =>
    conversation.take(
      data.map((part) => typeof part === "string" ? part : Deno.inspect(part))
        .join(" ") + "\n",
    );
  Object.assign(console, pristineConsole, {
    log: line,
    info: line,
    debug: line,
  });
}
