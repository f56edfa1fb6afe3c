/**
 * How the parts of an answer that a script sees as one travel apart: secrets
 * of states and results, and write-only props.
 *
 * @module
 */

import {
  type Diagnostic,
  hasError,
  isDiagnostics,
  isRecord,
} from "./diagnostics.ts";
import type { Members } from "./provider.ts";

/** What a method may do: answer at once or later. */
export type Awaitable<T> = T | Promise<T>;

/** Props with the write-only ones under `writeOnly`, where there are any. */
export function joinProps(props: unknown, writeOnly: unknown): unknown {
  return join(props, "writeOnly", writeOnly);
}

/** A state or result with its secrets under `sensitive`, where there are any. */
export function joinSensitive(open: unknown, sensitive: unknown): unknown {
  return join(open, "sensitive", sensitive);
}

// Neither member is there when it has nothing to hold: schemas that allow no
// further members, or not `null`, would refuse it.
function join(value: unknown, name: string, part: unknown): unknown {
  if (part === null || part === undefined) return value ?? null;
  if (value === null || value === undefined) return { [name]: part };
  return isRecord(value) ? { ...value, [name]: part } : value;
}

/** Splits the secrets off: `[open, sensitive]`. */
export function splitSensitive(value: unknown): [unknown, unknown] {
  if (!isRecord(value) || !Object.hasOwn(value, "sensitive")) {
    return [value, undefined];
  }
  const { sensitive, ...open } = value;
  return [open, sensitive];
}

/** The two members of an answer for a state. */
export function stateMembers(state: unknown): Members {
  const [open, sensitive] = splitSensitive(state);
  return defined({ state: open, sensitiveState: sensitive });
}

/** The two members of an answer for a result. */
export function resultMembers(result: unknown): Members {
  const [open, sensitive] = splitSensitive(result);
  return defined({ result: open, sensitiveResult: sensitive });
}

/** Without the members that are `undefined`. */
export function defined(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  );
}

/** Takes the diagnostics out of what a method returned. */
export function takeDiagnostics(
  returned: unknown,
): { rest: unknown; diagnostics: Diagnostic[] } {
  if (!isDiagnostics(returned)) return { rest: returned, diagnostics: [] };
  const { diagnostics, ...rest } = returned;
  return {
    rest: Object.keys(rest).length > 0 ? rest : undefined,
    diagnostics,
  };
}

/**
 * A value that a method returns as it is, or beside diagnostics: then as a
 * member `name`, or as all the members that are no diagnostics.
 */
export function takeValue(
  returned: unknown,
  name: string,
): { value: unknown; diagnostics: Diagnostic[] } {
  const { rest, diagnostics } = takeDiagnostics(returned);
  const named = diagnostics.length > 0 && isRecord(rest) &&
    Object.keys(rest).length === 1 && Object.hasOwn(rest, name);
  return { value: named ? rest[name] : rest, diagnostics };
}

/** An answer with diagnostics, where there are any. */
export function withDiagnostics(
  members: Members,
  diagnostics: Diagnostic[],
): Members {
  return diagnostics.length > 0 ? { ...members, diagnostics } : members;
}

/** The answer of a method that has nothing to say but whether it is done. */
export function doneMembers(returned: unknown): Members {
  const { diagnostics } = takeDiagnostics(returned);
  const done = hasError(diagnostics) ? {} : { done: true };
  return withDiagnostics(done, diagnostics);
}
