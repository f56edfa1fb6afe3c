/**
 * Serves the providers of a script over its standard streams.
 *
 * @module
 */

import { markLevels } from "./console.ts";
import type { Caller } from "./context.ts";
import { Connection, type Incoming, RpcError } from "./json_rpc.ts";
import { dispatch, type Provider, type ProviderOptions } from "./provider.ts";

/** Present when tests call the providers, so that nothing is to be served. */
const TESTING = Symbol.for("denobridge.testing");

/**
 * Present when whoever runs the script only wants to know what it is: a
 * function that takes the provider's calls, and nothing is to be served.
 */
const COLLECTING = Symbol.for("denobridge.collecting");

let concurrentByDefault = true;
let isServing = false;

/** Keeps providers from reading standard input: they are called by tests. */
export function keepFromServing(): void {
  (globalThis as Record<symbol, unknown>)[TESTING] = true;
}

/** Providers that do not say otherwise get one call at a time. */
export function oneCallAtATime(): void {
  concurrentByDefault = false;
}

/** Serves a provider once the script's modules have all been evaluated. */
export function serveSoon(provider: Provider, options: ProviderOptions): void {
  const collect = (globalThis as Record<symbol, unknown>)[COLLECTING];
  if (typeof collect === "function") {
    // At once: the one who asks looks at the stack for which module it is of.
    collect((method: string, params: unknown) =>
      provider[dispatch](method, params, nobody())
    );
    return;
  }
  onceLoaded(() => serve(provider, options));
}

/**
 * Begins to serve when the script's modules have all been evaluated, unless it
 * is tests that have imported them.
 */
export function onceLoaded(serve: () => Promise<void>): void {
  setTimeout(() => {
    if (Object.hasOwn(globalThis, TESTING)) return;
    if (isServing) {
      throw new Error(
        "A script is one provider or one integration: its standard input cannot be read twice. Put the other one into a script of its own.",
      );
    }
    isServing = true;
    serve();
  });
}

async function serve(
  provider: Provider,
  options: ProviderOptions,
): Promise<void> {
  if (Deno.stdin.isTerminal()) {
    console.error(
      "This is a script for denobridge, which talks to it over standard input. Run it with: denobridge try SCRIPT",
    );
  }
  const handler = async (
    method: string,
    params: unknown,
    incoming: Incoming,
  ): Promise<unknown> => {
    switch (method) {
      case "health":
        if ((params as { logLevels?: unknown }).logLevels === true) {
          markLevels();
        }
        return {
          ok: true,
          concurrent: options.concurrent ?? concurrentByDefault,
          configure: true,
          cancel: true,
        };
      case "shutdown":
        shutDown(connection);
        return {};
      default:
        return await provider[dispatch](
          method,
          params,
          caller(connection, incoming),
        );
    }
  };
  const { exactIntegers } = options;
  const connection = new Connection(Deno.stdout.writable, handler, {
    exactIntegers,
  });
  await connection.run(Deno.stdin.readable);
}

/** Ends the process when the calls that are still running have been answered. */
export async function shutDown(connection: Connection): Promise<void> {
  // The answer to `shutdown` itself is one of them, and it is on its way by
  // the time that a timer fires.
  await new Promise((resolve) => setTimeout(resolve));
  await connection.settled();
  Deno.exit(0);
}

/** Nobody who could be told anything. */
function nobody(): Caller {
  const progress = () => Promise.resolve();
  return { signal: new AbortController().signal, progress };
}

function caller(connection: Connection, incoming: Incoming): Caller {
  return {
    signal: incoming.signal,
    progress: (message) => {
      if (typeof message !== "string") {
        throw new RpcError(-32602, "A progress message must be text");
      }
      return connection.notify("invokeProgress", {
        message,
        requestId: incoming.id,
      });
    },
  };
}
