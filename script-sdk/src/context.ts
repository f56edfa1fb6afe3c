/**
 * What comes with a call beside its arguments.
 *
 * @module
 */

import type { Diagnostic } from "./diagnostics.ts";

/** The last argument of every method of a script. */
export interface CallContext {
  /**
   * Aborted when the user interrupts the run or a time limit passes. Hand it
   * to `fetch` and to whatever else takes one.
   */
  readonly signal: AbortSignal;
  /** Write-only props; the same as `props.writeOnly` where props are an object. */
  readonly writeOnly?: unknown;
  /**
   * The provider's `config`, with its secrets under `sensitive`; `null` when
   * the user has set none.
   */
  readonly config: unknown;
  /** Tells whoever watches how far the call is. */
  progress(message: string): Promise<void>;
  /** Shows a warning with the answer, whatever the method returns or throws. */
  warn(summary: string, detail?: string, propPath?: (string | number)[]): void;
}

/** What `read` of a resource is told beside its arguments. */
export interface ReadContext<TState> extends CallContext {
  /** The state as last known; `null` after an import. */
  readonly state: TState | null;
}

/** What `modifyPlan` is told beside its arguments. */
export interface PlanContext extends CallContext {
  /**
   * What in `nextProps` is not known yet and therefore `null`: each path has
   * the names and positions that lead to it from `nextProps`. An empty path
   * means all of the props.
   */
  readonly unknownPaths: readonly (readonly (string | number)[])[];
}

/** The part of a context that the caller of a method provides. */
export interface Caller {
  signal: AbortSignal;
  progress(message: string): Promise<void>;
}

/** A context, and the warnings that the method has given through it. */
export function createContext(
  caller: Caller,
  more: { config: unknown; writeOnly: unknown },
): { context: CallContext; warnings: Diagnostic[] } {
  const warnings: Diagnostic[] = [];
  const context: CallContext = {
    ...more,
    signal: caller.signal,
    progress: (message) => caller.progress(message),
    warn(summary, detail = "", propPath) {
      warnings.push({ severity: "warning", summary, detail, propPath });
    },
  };
  return { context, warnings };
}
