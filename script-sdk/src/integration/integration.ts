/**
 * An integration: hooks, and how they are asked.
 *
 * @module
 */

import { isRecord } from "../diagnostics.ts";
import { Connection, type Incoming, RpcError } from "../json_rpc.ts";
import { onceLoaded, shutDown } from "../server.ts";
import { DENOBRIDGE_VERSION } from "../version.ts";
import type { Awaitable } from "../wire.ts";
import { type Hook, type HookEvents, methods } from "./hooks.ts";
import type { Action, Initialize, Result, ShutdownReason } from "./messages.ts";

/** The version of the protocol that this library speaks. */
export const PROTOCOL_VERSION = 1;

/** How important a line of the log is. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** What a hook gets beside its event. */
export interface HookContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The table `settings` of the configuration file. */
  readonly settings: Record<string, unknown>;
  /** What was said at the beginning. */
  readonly initialize: Initialize;
  /** Writes a line to the host's log. */
  log(level: LogLevel, message: string): void;
}

/** What an integration does at its hooks: those that it has are asked. */
export type Hooks = {
  [H in Hook]?: (
    event: HookEvents[H],
    context: HookContext,
  ) => Awaitable<Result | void>;
};

/** What an integration is. */
export interface IntegrationOptions {
  /** What it calls itself. */
  name: string;
  /** Its version; that of this library if it has none. */
  version?: string;
  /** What it does. A hook that returns nothing has nothing against it. */
  hooks: Hooks;
  /** What it wants to be asked about; all, unless it says so. */
  filter?: { types?: string[]; actions?: Action[] };
  /** Called first; what it throws keeps the integration from being used. */
  initialize?: (
    context: Omit<HookContext, "signal">,
  ) => Awaitable<void>;
  /** Called last. */
  shutdown?: (reason: ShutdownReason) => Awaitable<void>;
}

/** Calls an integration as the host does. Not for scripts: tests use it. */
export const ask: unique symbol = Symbol("ask");

/** Writes a line to the host's log. */
type Log = HookContext["log"];

/** An integration that is served over the process's standard streams. */
export class Integration {
  readonly #options: IntegrationOptions;
  readonly #hooks: ReadonlyMap<string, Hook>;
  #initialize: Initialize | undefined;

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(options: IntegrationOptions) {
    this.#options = options;
    const hooks = Object.keys(options.hooks) as Hook[];
    const unknown = hooks.find((hook) => !Object.hasOwn(methods, hook));
    if (unknown !== undefined) {
      throw new TypeError(
        `There is no hook "${unknown}"; there are ${
          Object.keys(methods).join(", ")
        }`,
      );
    }
    this.#hooks = new Map(hooks.map((hook) => [methods[hook], hook]));
    onceLoaded(() => this.#serve());
  }

  /** Calls a method as the host does. */
  async [ask](
    method: string,
    params: unknown,
    signal: AbortSignal,
    log: Log,
  ): Promise<unknown> {
    if (method === "initialize") {
      return await this.#begin(params as Initialize, log);
    }
    if (method === "shutdown") {
      const reason = isRecord(params) ? params.reason : undefined;
      await this.#options.shutdown?.(reason as ShutdownReason ?? "complete");
      return null;
    }
    const hook = this.#hooks.get(method);
    if (hook === undefined) throw RpcError.methodNotFound(method);
    if (this.#initialize === undefined) {
      throw new Error(`"${method}" came before "initialize"`);
    }
    const context = { ...this.#context(this.#initialize, log), signal };
    const run = this.#options.hooks[hook] as (
      event: unknown,
      context: HookContext,
    ) => Awaitable<Result | void>;
    return await run(params, context) ?? pass();
  }

  async #begin(initialize: Initialize, log: Log): Promise<unknown> {
    if (initialize.protocol_version !== PROTOCOL_VERSION) {
      throw new Error(
        `this integration speaks version ${PROTOCOL_VERSION} of the protocol, not ${initialize.protocol_version}`,
      );
    }
    this.#initialize = { ...initialize, settings: initialize.settings ?? {} };
    await this.#options.initialize?.(this.#context(this.#initialize, log));
    const { name, version, filter } = this.#options;
    return {
      name,
      version: version ?? DENOBRIDGE_VERSION,
      subscribed_hooks: [...this.#hooks.keys()],
      ...(filter && { filter }),
    };
  }

  #context(initialize: Initialize, log: Log): Omit<HookContext, "signal"> {
    return { initialize, settings: initialize.settings, log };
  }

  async #serve(): Promise<void> {
    const log: Log = (level, message) => {
      connection.notify("log", { level, message }).catch(() => {});
    };
    const handler = async (
      method: string,
      params: unknown,
      incoming: Incoming,
    ): Promise<unknown> => {
      const answer = await this[ask](method, params, incoming.signal, log);
      if (method === "shutdown") shutDown(connection);
      return answer;
    };
    const connection = new Connection(Deno.stdout.writable, handler, {
      cancelMethod: "cancel",
    });
    await connection.run(Deno.stdin.readable);
    // Whatever timers or sockets there still are: the host has gone.
    Deno.exit(0);
  }
}

/**
 * Makes the script an integration.
 *
 * ```ts
 * import { fail, integration } from "@denobridge/script-sdk/integration";
 *
 * export default integration({
 *   name: "naming",
 *   hooks: {
 *     prePlan({ resource, proposed_state }) {
 *       if (proposed_state && !/^[a-z-]+$/.test(String(proposed_state.name))) {
 *         return fail(`${resource.type} needs a name of small letters`);
 *       }
 *     },
 *   },
 * });
 * ```
 */
export function integration(options: IntegrationOptions): Integration {
  return new Integration(options);
}

/** What can be said beside a status. */
export type Further = Omit<Result, "status" | "message" | "messages">;

/** Nothing against it. */
export function pass(further: Omit<Result, "status"> = {}): Result {
  return { status: "pass", ...further };
}

/** Worth a warning, of one line or several. */
export function warn(
  message: string | string[],
  further: Further = {},
): Result {
  return { status: "warn", ...lines(message), ...further };
}

/** It must not be; says why, in one line or several. */
export function fail(
  message: string | string[],
  further: Further = {},
): Result {
  return { status: "fail", ...lines(message), ...further };
}

function lines(message: string | string[]): Partial<Result> {
  return typeof message === "string" ? { message } : { messages: message };
}
