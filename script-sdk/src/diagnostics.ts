/**
 * What a script has to say to the person who runs it.
 *
 * @module
 */

/** A warning, or an error that makes the operation fail. */
export interface Diagnostic {
  /** An error makes the operation fail; warnings do not. */
  severity: "error" | "warning";
  /** One line. */
  summary: string;
  /** What is wrong and what to do about it. */
  detail: string;
  /**
   * Where: first `props`, `state` or another attribute, then names of members
   * and positions in lists. Left out when it is about the whole.
   */
  propPath?: (string | number)[];
}

/** An answer that consists of diagnostics, or has some beside its members. */
export interface Diagnostics {
  /** In the order in which they are to be shown. */
  diagnostics: Diagnostic[];
}

/**
 * Makes an operation fail with diagnostics from any depth of the script: what
 * is thrown becomes the answer.
 *
 * ```ts
 * import { DiagnosticsError } from "./diagnostics.ts";
 *
 * function port(text: string): number {
 *   const port = Number(text);
 *   if (Number.isInteger(port)) return port;
 *   throw DiagnosticsError.at(["props", "port"], "Invalid port", `"${text}" is not a number.`);
 * }
 * ```
 */
export class DiagnosticsError extends Error {
  /** Always has at least one error. */
  readonly diagnostics: Diagnostic[];

  /** Without an error among them the first diagnostic counts as one. */
  constructor(diagnostics: Diagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join("; "));
    this.name = "DiagnosticsError";
    this.diagnostics = hasError(diagnostics)
      ? diagnostics
      : diagnostics.map((diagnostic, index) =>
        index === 0 ? { ...diagnostic, severity: "error" } : diagnostic
      );
  }

  /** A single error about one place. */
  static at(
    propPath: (string | number)[],
    summary: string,
    detail: string,
  ): DiagnosticsError {
    return new DiagnosticsError([
      { severity: "error", summary, detail, propPath },
    ]);
  }
}

/** Whether one of them makes the operation fail. */
export function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/**
 * Whether a script's answer has diagnostics. A member of this name that is
 * something else (an object of the script's own, a list of texts) is data.
 */
export function isDiagnostics(answer: unknown): answer is Diagnostics {
  if (!isRecord(answer) || !Array.isArray(answer.diagnostics)) return false;
  return answer.diagnostics.every((item) =>
    isRecord(item) && typeof item.severity === "string" &&
    typeof item.summary === "string"
  );
}

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
