/**
 * A data source in a test.
 *
 * @module
 */

import type { DatasourceProvider } from "../datasource.ts";
import { joinSensitive } from "../wire.ts";
import { call, type CallOptions } from "./call.ts";

/** Reads a data source; secrets are under `sensitive`. */
export async function read<TProps, TResult>(
  provider: DatasourceProvider<TProps, TResult>,
  props: TProps,
  options?: CallOptions,
): Promise<TResult> {
  const answer = await call(provider, "read", { props }, options);
  return joinSensitive(answer.result, answer.sensitiveResult) as TResult;
}
