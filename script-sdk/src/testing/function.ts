/**
 * A function in a test.
 *
 * @module
 */

import type { FunctionProvider, Functions } from "../function.ts";
import { call } from "./call.ts";

/** Calls a function of a script. */
export async function callFunction<
  TFunctions extends Functions,
  Name extends keyof TFunctions & string,
>(
  provider: FunctionProvider<TFunctions>,
  name: Name,
  ...args: Parameters<TFunctions[Name]>
): Promise<Awaited<ReturnType<TFunctions[Name]>>> {
  const params = { function: name, arguments: args };
  const { result = null } = await call(provider, "call", params);
  return result as Awaited<ReturnType<TFunctions[Name]>>;
}
