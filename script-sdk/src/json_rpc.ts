/**
 * JSON-RPC 2.0 in both directions over a pair of streams, one message a line.
 *
 * @module
 */

import { lines } from "./lines.ts";

/** The id of a request: the other side's choice. */
export type RequestId = string | number;

/** Codes of JSON-RPC, and of the Language Server Protocol for `cancelled`. */
export const code = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  internalError: -32603,
  cancelled: -32800,
} as const;

/** An error object of JSON-RPC; what throws one is answered with it. */
export class RpcError extends Error {
  /** JSON-RPC's code, or one of the script's own. */
  readonly code: number;
  /** Anything more; shown to the user. */
  readonly data: unknown;

  /** An error with a code, a message for people, and data of any shape. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }

  /** The answer to a method that is not there. */
  static methodNotFound(method: string): RpcError {
    return new RpcError(code.methodNotFound, `Method not found: ${method}`);
  }
}

/** What comes with a call beside its parameters. */
export interface Incoming {
  /** Absent for a notification. */
  readonly id: RequestId | undefined;
  /** Aborted when the caller no longer wants the answer. */
  readonly signal: AbortSignal;
}

/** Does what a method asks for; what it returns or throws is the answer. */
export type Handler = (
  method: string,
  params: unknown,
  incoming: Incoming,
) => unknown;

/** How a connection reads and what it tells about itself. */
export interface ConnectionOptions {
  /** Integers that a `number` cannot hold are read as `bigint`. */
  exactIntegers?: boolean;
  /** How long to wait for answers to requests of our own; 30 by default. */
  responseTimeoutSec?: number;
  /** Told of each message without what is in it, since that may be secret. */
  log?: (line: string) => void;
  /** Sees every line before it is understood. */
  onLine?: (line: string) => Promise<void>;
  /** The notification that gives a request up; {@linkcode CANCEL} by default. */
  cancelMethod?: string;
}

/** The notification that gives up the request whose `id` it names. */
export const CANCEL = "$/cancelRequest";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  timer: ReturnType<typeof setTimeout>;
}

/** Both ends of the conversation: answers the other side's calls, and calls it. */
export class Connection {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #handler: Handler;
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #running = new Map<RequestId, AbortController>();
  readonly #jobs = new Set<Promise<void>>();
  #lastId = 0;

  /** Reads nothing until {@linkcode run} or {@linkcode receive} is called. */
  constructor(
    writable: WritableStream<Uint8Array>,
    handler: Handler,
    options: ConnectionOptions = {},
  ) {
    this.#writer = writable.getWriter();
    this.#handler = handler;
    this.#options = options;
  }

  /** Serves until the stream ends and all its calls are answered. */
  async run(readable: ReadableStream<Uint8Array>): Promise<void> {
    for await (const line of lines(readable)) {
      const job = this.receive(line);
      this.#jobs.add(job);
      job.finally(() => this.#jobs.delete(job));
    }
    await this.settled();
  }

  /** Waits for the answers to the calls that have come so far. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#jobs]);
  }

  /** Takes one line; done when what it asks for has been answered. */
  async receive(line: string): Promise<void> {
    await this.#options.onLine?.(line);
    if (line.trim() === "") return;
    let message: unknown;
    try {
      message = this.#options.exactIntegers
        ? JSON.parse(line, exactInteger)
        : JSON.parse(line);
    } catch (error) {
      return await this.#fail(null, code.parseError, "Parse error", `${error}`);
    }
    if (Array.isArray(message) && message.length > 0) {
      await Promise.all(message.map((item) => this.#take(item)));
    } else {
      await this.#take(message);
    }
  }

  /** Calls a method of the other side and waits for what it answers. */
  async request(method: string, params?: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const seconds = this.#options.responseTimeoutSec ?? 30;
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`"${method}" was not answered within ${seconds} s`));
      }, seconds * 1000);
      this.#waiting.set(id, { resolve, reject, timer });
    });
    await this.send({ jsonrpc: "2.0", id, method, params });
    return await answer;
  }

  /** Tells the other side something that it does not answer. */
  async notify(method: string, params?: unknown): Promise<void> {
    await this.send({ jsonrpc: "2.0", method, params });
  }

  /** Writes a message. Messages go out whole and in order. */
  async send(message: Record<string, unknown>): Promise<void> {
    await this.sendLine(JSON.stringify(message, jsonValue));
    this.#log("sent", message);
  }

  /** Writes a line of text as it is. */
  async sendLine(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(line + "\n"));
  }

  async #take(message: unknown): Promise<void> {
    if (typeof message !== "object" || message === null) {
      return await this.#fail(null, code.invalidRequest, "Invalid request");
    }
    const members = message as Record<string, unknown>;
    this.#log("received", members);
    const id = members.id as RequestId | null | undefined;
    if (typeof members.method === "string") {
      await this.#call(members.method, members.params, id ?? undefined);
    } else if (id != null && ("result" in members || "error" in members)) {
      this.#settle(id, members);
    } else {
      await this.#fail(id ?? null, code.invalidRequest, "Invalid request");
    }
  }

  async #call(
    method: string,
    params: unknown,
    id: RequestId | undefined,
  ): Promise<void> {
    if (method === (this.#options.cancelMethod ?? CANCEL)) {
      const given = (params as { id?: RequestId } | undefined)?.id;
      if (given !== undefined) this.#running.get(given)?.abort();
      return;
    }
    const controller = new AbortController();
    if (id !== undefined) this.#running.set(id, controller);
    try {
      const { signal } = controller;
      const result = await this.#handler(method, params ?? {}, { id, signal });
      if (id !== undefined) {
        await this.send({ jsonrpc: "2.0", id, result: result ?? null });
      }
    } catch (error) {
      await this.#answerError(method, id, error, controller.signal.aborted);
    } finally {
      if (id !== undefined) this.#running.delete(id);
    }
  }

  async #answerError(
    method: string,
    id: RequestId | undefined,
    error: unknown,
    aborted: boolean,
  ): Promise<void> {
    const { code: number, message, data } = errorObject(error, aborted);
    if (id !== undefined) {
      await this.#fail(id, number, message, data);
    } else if (number !== code.methodNotFound) {
      // Nobody gets an answer to a notification, so it would be lost.
      console.error(`"${method}" failed:`, error);
    }
  }

  async #fail(
    id: RequestId | null,
    code: number,
    message: string,
    data?: unknown,
  ): Promise<void> {
    await this.send({ jsonrpc: "2.0", id, error: { code, message, data } });
  }

  #settle(id: RequestId, members: Record<string, unknown>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    const error = members.error as
      | { code?: number; message?: string; data?: unknown }
      | null
      | undefined;
    if (error) {
      const number = error.code ?? code.internalError;
      waiting.reject(new RpcError(number, error.message ?? "", error.data));
    } else {
      waiting.resolve(members.result);
    }
  }

  #log(what: string, { method, id }: Record<string, unknown>): void {
    this.#options.log?.(
      `${what} ${method ?? "answer"}${id === undefined ? "" : ` #${id}`}`,
    );
  }
}

/** The error object for anything that can be thrown. */
function errorObject(
  error: unknown,
  aborted: boolean,
): { code: number; message: string; data?: unknown } {
  // What an aborted `fetch` throws has a code too, but an old one of the DOM's.
  if (isErrorObject(error) && !(error instanceof DOMException)) return error;
  if (aborted) return { code: code.cancelled, message: "Cancelled" };
  if (!(error instanceof Error)) {
    return { code: code.internalError, message: String(error) };
  }
  // The host shows the message; where it was thrown is for its log.
  console.error(error);
  const causes: string[] = [];
  let cause: unknown = error.cause;
  for (; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  const message = error.name === "Error"
    ? error.message
    : `${error.name}: ${error.message}`;
  const data = causes.length > 0 ? { causes } : undefined;
  return { code: code.internalError, message, data };
}

/** What has a numeric code and a message says itself how it is to be answered. */
function isErrorObject(
  error: unknown,
): error is { code: number; message: string; data?: unknown } {
  return typeof error === "object" && error !== null &&
    "code" in error && typeof error.code === "number" &&
    "message" in error && typeof error.message === "string";
}

// Since ES2025, but not yet among TypeScript's declarations everywhere.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A `bigint` as the number that it is. */
export function jsonValue(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJSON(value.toString()) : value;
}

function exactInteger(
  this: unknown,
  _: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  const source = context?.source;
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  return source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
}
