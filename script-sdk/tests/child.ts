// A script as a child process, spoken to as the host speaks.
import { lines } from "../src/lines.ts";

export type Message = Record<string, unknown>;

export class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: AsyncGenerator<string>;
  readonly #errors: Promise<string>;
  #id = 0;

  constructor(script: string, ...flags: string[]) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...flags, new URL(script, import.meta.url).href],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#output = lines(this.#process.stdout);
    this.#errors = new Response(this.#process.stderr).text();
  }

  async write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }

  /** Sends a request and returns its id. */
  async send(method: string, params?: unknown): Promise<number> {
    const id = this.#id++;
    await this.write(
      JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n",
    );
    return id;
  }

  /** The next message. */
  async next(): Promise<Message> {
    return JSON.parse(await this.line());
  }

  /** The next line. */
  async line(): Promise<string> {
    const { value, done } = await this.#output.next();
    if (done) throw new Error(`it ended: ${await this.#errors}`);
    return value;
  }

  async call(method: string, params?: unknown): Promise<Message> {
    await this.send(method, params);
    return await this.next();
  }

  /** Ends it as the host does and tells what is left. */
  async end(): Promise<{ code: number; errors: string; further: string[] }> {
    await this.#input.close().catch(() => {});
    const further: string[] = [];
    for await (const line of this.#output) further.push(line);
    const { code } = await this.#process.status;
    return { code, errors: await this.#errors, further };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch { /* it has ended */ }
    await this.#process.status;
    await this.#input.close().catch(() => {});
    await this.#output.return(undefined);
    await this.#errors;
  }
}
