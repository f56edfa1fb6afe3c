/**
 * What all kinds of providers share: a table of methods, and the process's
 * standard streams to serve them over.
 *
 * @module
 */

import { type Caller, createContext } from "./context.ts";
import type { CallContext } from "./context.ts";
import {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  isRecord,
} from "./diagnostics.ts";
import { RpcError } from "./json_rpc.ts";
import { serveSoon } from "./server.ts";
import { type Awaitable, joinSensitive } from "./wire.ts";

/** How a provider is served. */
export interface ProviderOptions {
  /**
   * Whether several calls may be in one process at a time. They may unless
   * this is `false`, as far as a script keeps what belongs to a call out of
   * its globals.
   */
  concurrent?: boolean;
  /**
   * Integers that a `number` cannot hold (above 2^53) arrive as `bigint`. A
   * `bigint` in an answer is always written as a number.
   */
  exactIntegers?: boolean;
  /**
   * Called once in each process, before any other method, with the provider's
   * `config` as in {@linkcode CallContext.config}. What it throws is what the
   * user is told about all calls.
   */
  configure?: (config: unknown) => Awaitable<void>;
}

/** Members of a request or an answer of the contract. */
export type Members = Record<string, unknown>;

/** A method of the contract, in the contract's own terms. */
export type Method = (
  params: Members,
  context: CallContext,
) => Promise<Members>;

/** The methods that a provider serves, by their names in the contract. */
export type Methods = Record<string, Method>;

/** Calls a method as the host does. Not for scripts: tests use it. */
export const dispatch: unique symbol = Symbol("dispatch");

/**
 * Serves methods of the contract. A script makes one of the classes that are
 * derived from this; that is all it has to do.
 */
export abstract class Provider {
  readonly #methods: Methods;
  readonly #configure: ProviderOptions["configure"];
  #config: unknown = null;

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(methods: Methods, options: ProviderOptions = {}) {
    this.#methods = methods;
    this.#configure = options.configure;
    serveSoon(this, options);
  }

  /** Calls a method as the host does. */
  async [dispatch](
    method: string,
    params: unknown,
    caller: Caller,
  ): Promise<unknown> {
    const given = isRecord(params) ? params : {};
    if (method === "configure") {
      this.#config = joinSensitive(given.config, given.sensitiveConfig);
      await this.#configure?.(this.#config);
      return {};
    }
    if (!Object.hasOwn(this.#methods, method)) {
      throw RpcError.methodNotFound(method);
    }
    const writeOnly = given.writeOnlyProps ?? given.nextWriteOnlyProps ??
      undefined;
    const { context, warnings } = createContext(caller, {
      writeOnly,
      config: this.#config,
    });
    try {
      return withWarnings(
        await this.#methods[method](given, context),
        warnings,
      );
    } catch (error) {
      if (error instanceof DiagnosticsError) {
        return withWarnings({ diagnostics: error.diagnostics }, warnings);
      }
      // An error object has no place for diagnostics.
      for (const { summary, detail } of warnings) {
        console.error(`warning: ${summary}: ${detail}`);
      }
      throw error;
    }
  }
}

function withWarnings(answer: Members, warnings: Diagnostic[]): Members {
  if (warnings.length === 0) return answer;
  const own = (answer as Partial<Diagnostics>).diagnostics ?? [];
  return { ...answer, diagnostics: [...warnings, ...own] };
}
