/**
 * Schemas of Zod, and of any library that follows Standard Schema, known by
 * their shape only: the library brings none along.
 *
 * @module
 */

import { type Diagnostic, DiagnosticsError, isRecord } from "./diagnostics.ts";

/** What a schema has against a value. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

/** A schema that parses as Zod's do. */
export interface SafeParseSchema<Output = unknown> {
  safeParse(value: unknown):
    | { success: true; data: Output }
    | { success: false; error: { issues: readonly Issue[] } };
}

/** A schema that follows https://standardschema.dev (Valibot, ArkType, …). */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) =>
      | StandardResult<Output>
      | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** What a Standard Schema makes of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** A schema that values can be checked against. */
export type Schema = SafeParseSchema | StandardSchema;

/** The type of the values that a schema gives. */
export type Infer<TSchema> = TSchema extends
  { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output } ? Output
  : never
  : TSchema extends { safeParse(value: unknown): infer Result }
    ? Result extends { success: true; data: infer Output } ? Output : never
  : never;

/** A step of the path to an unknown value. */
export type Step = string | number;

/** A value to check, and what it is called in diagnostics. */
export interface Check {
  schema: Schema;
  value: unknown;
  /** The first step of the paths; without it they are left out. */
  root?: "props" | "state" | "result";
  /** A member that is the contract's and that the schema may leave out. */
  reserved?: "sensitive" | "writeOnly";
  /** What is not known yet; issues about it say nothing. */
  unknown?: readonly (readonly Step[])[];
}

/** The issues' title; the host knows it, and takes some away while planning. */
const SUMMARY = "Zod Validation Issue";

/**
 * Parses values.
 *
 * @throws {DiagnosticsError} with what is wrong with all of them.
 */
export async function parseAll(checks: readonly Check[]): Promise<unknown[]> {
  const parsed = await Promise.all(checks.map(parse));
  const issues = parsed.flatMap((result) => result.issues);
  if (issues.length > 0) throw new DiagnosticsError(issues);
  return parsed.map((result) => result.value);
}

interface Parsed {
  value: unknown;
  issues: Diagnostic[];
}

async function parse(check: Check): Promise<Parsed> {
  const { schema, value, root, reserved, unknown = [] } = check;
  let result = await run(schema, value);
  if (reserved && isRecord(value) && Object.hasOwn(value, reserved)) {
    result = await withReserved(schema, value, reserved, result);
  }
  if (!("issues" in result)) return { value: result.value, issues: [] };
  const told = result.issues.filter((issue) => !isAbout(unknown, issue));
  if (told.length === 0) return { value, issues: [] };
  return { value, issues: told.map((issue) => diagnostic(issue, root)) };
}

type Result = { value: unknown } | { issues: readonly Issue[] };

/** What the contract adds to a value passes by a schema that does not name it. */
async function withReserved(
  schema: Schema,
  value: Record<string, unknown>,
  name: string,
  result: Result,
): Promise<Result> {
  const { [name]: kept, ...others } = value;
  if ("issues" in result) {
    // The schema does name it if it finds fault with what is in it.
    if (result.issues.some((issue) => steps(issue)[0] === name)) return result;
    result = await run(schema, others);
    if ("issues" in result) return result;
  }
  const parsed = result.value;
  if (!isRecord(parsed) || Object.hasOwn(parsed, name)) return result;
  return { value: { ...parsed, [name]: kept } };
}

async function run(schema: Schema, value: unknown): Promise<Result> {
  if ("safeParse" in schema) {
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { issues: result.error.issues };
  }
  const result = await schema["~standard"].validate(value);
  return result.issues ? { issues: result.issues } : { value: result.value };
}

function steps(issue: Issue): Step[] {
  return (issue.path ?? []).map((step) => {
    const key = typeof step === "object" ? step.key : step;
    return typeof key === "symbol" ? String(key) : key;
  });
}

/** Whether an issue is at, under or around something that is not known yet. */
function isAbout(
  unknown: readonly (readonly Step[])[],
  issue: Issue,
): boolean {
  const path = steps(issue).map(String);
  return unknown.some((place) =>
    place.every((step, index) =>
      index >= path.length || String(step) === path[index]
    )
  );
}

function diagnostic(issue: Issue, root: Check["root"]): Diagnostic {
  const path = steps(issue).map(String);
  return {
    severity: "error",
    summary: SUMMARY,
    detail: issue.message,
    propPath: root && path.length > 0 ? [root, ...path] : undefined,
  };
}
