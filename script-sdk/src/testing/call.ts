/**
 * One call of a provider in a test.
 *
 * @module
 */

import {
  type Diagnostic,
  type Diagnostics,
  hasError,
  isDiagnostics,
} from "../diagnostics.ts";
import { jsonValue, RpcError } from "../json_rpc.ts";
import { dispatch, type Members, type Provider } from "../provider.ts";

/** What comes with a call. */
export interface CallOptions {
  /** Gives the call up. */
  signal?: AbortSignal;
  /** Takes the call's progress. */
  progress?: (message: string) => void;
}

/** The provider answered with error diagnostics. */
export class OperationFailed extends Error {
  /** All of the answer's diagnostics. */
  readonly diagnostics: Diagnostic[];
  /** The whole answer: after a failed `create` it may name an object. */
  readonly answer: Members;

  /** The failure of a method of the contract. */
  constructor(method: string, answer: Members & Diagnostics) {
    const { diagnostics } = answer;
    const texts = diagnostics.map(({ severity, summary, detail, propPath }) => {
      const place = propPath ? ` (${propPath.join(".")})` : "";
      return `\n  ${severity}: ${summary}${place}${
        detail ? `: ${detail}` : ""
      }`;
    });
    super(`"${method}" failed:${texts.join("")}`);
    this.name = "OperationFailed";
    this.diagnostics = diagnostics;
    this.answer = answer;
  }
}

/**
 * Calls a method of the contract with the params that the host would send, and
 * returns the answer as the host would get it.
 *
 * @throws {OperationFailed} when the answer has error diagnostics.
 * @throws {RpcError} when the provider has no such method.
 */
export async function call(
  provider: Provider,
  method: string,
  params: Members,
  options: CallOptions = {},
): Promise<Members> {
  const caller = {
    signal: options.signal ?? new AbortController().signal,
    progress: (message: string) => {
      options.progress?.(message);
      return Promise.resolve();
    },
  };
  const answer = await provider[dispatch](method, transmitted(params), caller);
  const received = transmitted(answer) as Members;
  if (isDiagnostics(received) && hasError(received.diagnostics)) {
    throw new OperationFailed(method, received);
  }
  return received;
}

/** Calls a method that a provider need not have; `undefined` if it has not. */
export async function callOptional(
  ...args: Parameters<typeof call>
): Promise<Members | undefined> {
  try {
    return await call(...args);
  } catch (error) {
    if (error instanceof RpcError && error.code === -32601) return undefined;
    throw error;
  }
}

/** The warnings of an answer. */
export function warningsOf(answer: Members): Diagnostic[] {
  return isDiagnostics(answer) ? answer.diagnostics : [];
}

/** A value as it is after its way over the wire. */
export function transmitted(value: unknown): unknown {
  const text = JSON.stringify(value, jsonValue);
  return text === undefined ? null : JSON.parse(text);
}

/** Whether two values are the same on the wire. */
export function sameOnWire(left: unknown, right: unknown): boolean {
  return sorted(left) === sorted(right);
}

function sorted(value: unknown): string {
  return JSON.stringify(
    transmitted(value),
    (_, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        // A member that is null and one that is absent are the same.
        ? Object.fromEntries(
          Object.entries(member).filter(([, inner]) => inner !== null).sort(),
        )
        : member,
  );
}
