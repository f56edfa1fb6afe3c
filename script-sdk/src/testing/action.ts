/**
 * An action in a test.
 *
 * @module
 */

import type { ActionProvider } from "../action.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { call, type CallOptions, warningsOf } from "./call.ts";

/** What came of an action. */
export interface Invoked {
  /** The progress that it reported, in order. */
  progress: string[];
  /** What it warned of. */
  warnings: Diagnostic[];
}

/** Invokes an action. */
export async function invoke<TProps>(
  provider: ActionProvider<TProps>,
  props: TProps,
  options: CallOptions = {},
): Promise<Invoked> {
  const progress: string[] = [];
  const answer = await call(provider, "invoke", { props }, {
    ...options,
    progress: (message) => {
      progress.push(message);
      options.progress?.(message);
    },
  });
  if (answer.done === false) throw new Error('"invoke" answered done: false');
  return { progress, warnings: warningsOf(answer) };
}
