/**
 * JSON-RPC in both directions over any pair of streams, for scripts that speak
 * a protocol of their own with what they start. Providers do not need it.
 *
 * @module
 */

import { Connection, RpcError } from "./src/json_rpc.ts";

/** A stream that can be read and closed, such as `Deno.stdin`. */
export interface CloseableReadable {
  /** What comes from the other side. */
  readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Ends the reading. */
  close(): void;
}

/** A stream that can be written, such as `Deno.stdout`. */
export interface Writeable {
  /** What goes to the other side. */
  writable: WritableStream<Uint8Array<ArrayBufferLike>>;
}

/** How a socket waits, and what it tells. */
export interface JSocketOptions {
  /** Writes the method and id of each message to standard error. */
  debugLogging: boolean;
  /** How long to wait for an answer; 30 by default. */
  responseTimeoutSec?: number;
}

// deno-lint-ignore no-explicit-any
type AnyFunction = (...args: any[]) => any;

/** Methods by name; each takes the `params` of a call. */
export type SocketMethods = Record<string, AnyFunction>;

type Parameter<T> = T extends AnyFunction ? Parameters<T>[0] : never;
type Returned<T> = T extends AnyFunction ? Awaited<ReturnType<T>> : never;

/** A call for {@linkcode SocketClient.batch}. */
export interface BatchCall<Methods> {
  /** The method to call. */
  method: keyof Methods & string;
  /** What it gets. */
  params?: unknown;
  /** Whether an answer is wanted; it is unless this is `true`. */
  notification?: boolean;
}

/** What came of one call of a batch. */
export type BatchResult =
  | { status: "fulfilled"; value: unknown }
  | { status: "rejected"; reason: unknown };

/** Calls the other side. */
export class SocketClient<Methods> {
  readonly #connection: Connection;

  /** A client that sends over a connection. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Calls a method and waits for its answer. */
  async request<Name extends keyof Methods & string>(
    method: Name,
    params?: Parameter<Methods[Name]>,
  ): Promise<Returned<Methods[Name]>> {
    const answer = await this.#connection.request(method, params);
    return answer as Returned<Methods[Name]>;
  }

  /** Tells the other side something that it does not answer. */
  async notify<Name extends keyof Methods & string>(
    method: Name,
    params?: Parameter<Methods[Name]>,
  ): Promise<void> {
    await this.#connection.notify(method, params);
  }

  /** Makes several calls at once. Results are in order of the calls that have some. */
  async batch(...calls: BatchCall<Methods>[]): Promise<BatchResult[]> {
    const results: Promise<unknown>[] = [];
    for (const { method, params, notification } of calls) {
      if (notification) await this.#connection.notify(method, params);
      else results.push(this.#connection.request(method, params));
    }
    return await Promise.allSettled(results);
  }
}

/** Answers the other side's calls. */
export class SocketServer<Methods> {
  readonly #methods: Record<string, AnyFunction>;

  /** A server of methods. */
  constructor(methods: Methods) {
    this.#methods = methods as Record<string, AnyFunction>;
  }

  /** Calls a method as the other side does. */
  async call(method: string, params: unknown): Promise<unknown> {
    if (!Object.hasOwn(this.#methods, method)) {
      throw RpcError.methodNotFound(method);
    }
    return await this.#methods[method](params);
  }

  /** Adds or replaces a method. */
  setMethod(name: string, method: AnyFunction): void {
    this.#methods[name] = method;
  }
}

/** Takes a line; may be asynchronous. */
export type LineListener = (line: string) => Promise<void> | void;

/**
 * A socket whose own methods are known by what is given.
 *
 * ```ts
 * import { createJSocket } from "./jsocket.ts";
 *
 * type Remote = { add(params: { a: number; b: number }): Promise<number> };
 *
 * const child = new Deno.Command("calculator", { stdin: "piped", stdout: "piped" }).spawn();
 * const reader = { readable: child.stdout, close: () => child.kill() };
 * await using socket = createJSocket<Remote>(reader, { writable: child.stdin })(() => ({}));
 * console.log(await socket.client.request("add", { a: 1, b: 2 }));
 * ```
 */
export function createJSocket<ClientMethods>(
  reader: CloseableReadable,
  writer: Writeable,
  options?: JSocketOptions,
): <ServerMethods>(
  serverMethods: (client: SocketClient<ClientMethods>) => ServerMethods,
) => JSocket<ClientMethods, ServerMethods> {
  return (serverMethods) => new JSocket(reader, writer, serverMethods, options);
}

/** Both ends of a conversation over a pair of streams. */
export class JSocket<ClientMethods, ServerMethods> implements AsyncDisposable {
  /** Calls the other side. */
  readonly client: SocketClient<ClientMethods>;
  /** Answers the other side. */
  readonly server: SocketServer<ServerMethods>;
  /** As given. */
  readonly options: JSocketOptions | undefined;

  readonly #connection: Connection;
  readonly #reader: CloseableReadable;
  readonly #listeners = new Set<LineListener>();
  readonly #ended: Promise<void>;

  /** Begins to read at once. */
  constructor(
    reader: CloseableReadable,
    writer: Writeable,
    serverMethods: (client: SocketClient<ClientMethods>) => ServerMethods,
    options?: JSocketOptions,
  ) {
    this.options = options;
    this.#reader = reader;
    this.#connection = new Connection(
      writer.writable,
      (method, params) => this.server.call(method, params),
      {
        responseTimeoutSec: options?.responseTimeoutSec,
        log: options?.debugLogging ? (line) => console.error(line) : undefined,
        onLine: async (line) => {
          await Promise.all([...this.#listeners].map((take) => take(line)));
        },
      },
    );
    this.client = new SocketClient(this.#connection);
    this.server = new SocketServer(serverMethods(this.client));
    this.#ended = this.#connection.run(reader.readable);
    // Closing the stream while it is read is how a socket is meant to end.
    this.#ended.catch(() => {});
  }

  /** Hands every line that comes to a listener, until it is cancelled. */
  Rx(listener: LineListener, signal?: AbortSignal): () => void {
    this.#listeners.add(listener);
    const cancel = () => void this.#listeners.delete(listener);
    signal?.addEventListener("abort", cancel, { once: true });
    return cancel;
  }

  /** Writes a line as it is. */
  async Tx(line: string): Promise<void> {
    await this.#connection.sendLine(line);
  }

  /** Stops reading and waits for the calls that are still running. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#reader.close();
    await this.#ended.catch(() => {});
    await this.#connection.settled();
  }
}
