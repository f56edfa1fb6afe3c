/**
 * Functions: results that follow from their arguments alone.
 *
 * @module
 */

import {
  describingFunctions,
  type DescriptionOptions,
  type FunctionDescription,
} from "./describe.ts";
import { RpcError } from "./json_rpc.ts";
import { Provider } from "./provider.ts";
import { takeDiagnostics, withDiagnostics } from "./wire.ts";

/**
 * The functions that a script has, by name. A function that is given something
 * it cannot work with throws; {@linkcode DiagnosticsError.at} with the path
 * `["arguments", 0]` says which argument it is.
 */
// deno-lint-ignore no-explicit-any
export type Functions = Record<string, (...args: any[]) => unknown>;

/** How functions are served, and what they say of themselves. */
export interface FunctionOptions<TFunctions extends Functions>
  extends DescriptionOptions {
  /**
   * What each function takes and returns. A script that has it can be part of
   * a typed package. It describes values; nothing is checked by it here.
   */
  schema?: {
    [Name in keyof TFunctions]: FunctionDescription<
      Parameters<TFunctions[Name]>
    >;
  };
}

/**
 * Serves functions. They run without permissions and before the provider is
 * configured.
 *
 * ```ts
 * import { FunctionProvider } from "@denobridge/script-sdk";
 *
 * export default new FunctionProvider({
 *   slug: (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
 * });
 * ```
 */
export class FunctionProvider<TFunctions extends Functions> extends Provider {
  /** Never there: it tells tests of a provider which functions it has. */
  declare readonly "~types"?: { functions: TFunctions };

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    functions: TFunctions,
    options?: FunctionOptions<NoInfer<TFunctions>>,
  ) {
    super({
      ...describingFunctions(
        options?.schema as Record<string, FunctionDescription> | undefined,
        options,
      ),
      async call({ function: name, arguments: given }) {
        const known = Object.keys(functions);
        if (!known.includes(String(name))) {
          throw new RpcError(
            -32602,
            `There is no function ${name}. There are: ${known.join(", ")}`,
          );
        }
        const args = Array.isArray(given) ? given : [];
        const returned = await functions[String(name)](...args);
        const { rest, diagnostics } = takeDiagnostics(returned);
        const result = rest === undefined && diagnostics.length === 0
          ? null
          : rest;
        return withDiagnostics(
          result === undefined ? {} : { result },
          diagnostics,
        );
      },
    }, options);
  }
}
