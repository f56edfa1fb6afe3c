/**
 * JSON Schema: as authors write it, and as schemas of libraries are turned
 * into it by what the libraries bring along for that.
 *
 * @module
 */

import { isRecord } from "./diagnostics.ts";
import type { Schema } from "./schema.ts";

/** The types of JSON Schema. */
export type JsonType =
  | "array"
  | "boolean"
  | "integer"
  | "null"
  | "number"
  | "object"
  | "string";

/** JSON Schema, draft 2020-12: its keywords, and what denobridge adds. */
export type JsonSchema = boolean | JsonSchemaKeywords;

/** The keywords of a JSON Schema. */
export interface JsonSchemaKeywords {
  $id?: string;
  $anchor?: string;
  $comment?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  $ref?: string;
  $schema?: string;
  title?: string;
  description?: string;
  default?: unknown;
  examples?: readonly unknown[];
  deprecated?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  type?: JsonType | readonly JsonType[];
  enum?: readonly unknown[];
  const?: unknown;
  allOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: JsonSchema;
  unevaluatedProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  required?: readonly string[];
  dependentRequired?: Readonly<Record<string, readonly string[]>>;
  dependentSchemas?: Readonly<Record<string, JsonSchema>>;
  minProperties?: number;
  maxProperties?: number;
  items?: JsonSchema;
  prefixItems?: readonly JsonSchema[];
  unevaluatedItems?: JsonSchema;
  contains?: JsonSchema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  contentSchema?: JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  /** It is secret. */
  "x-sensitive"?: boolean;
  /** A change of it replaces the object. */
  "x-replaces"?: boolean;
  /** Under Pulumi a name is made of the resource's when none is given. */
  "x-autonamed"?: boolean;
  /** What to use instead. */
  "x-deprecated"?: string;
  /** Whatever else there is to say. */
  [extension: `x-${string}`]: unknown;
}

/** A JSON Schema, or a schema of a library that can be turned into one. */
export type DescribingSchema = JsonSchema | Schema;

/** What a schema is asked about: what it takes, or what it makes of that. */
export type Direction = "input" | "output";

/** A JSON Schema that is no boolean. */
export type JsonObject = Record<string, unknown>;

const TARGET = "draft-2020-12";

// What a library cannot write becomes `{}`, which is anything: the options of
// Zod, ArkType and Valibot for that. Libraries pass over those of others.
const LENIENT = {
  unrepresentable: "any",
  fallback: { default: () => ({}) },
  errorMode: "ignore",
};

/**
 * The JSON Schema of a schema; `undefined` if its library knows of none.
 *
 * Libraries bring {@link https://standardschema.dev/json-schema} along.
 */
export function jsonSchema(
  schema: DescribingSchema,
  direction: Direction,
): JsonObject | undefined {
  if (typeof schema === "boolean") return schema ? {} : { not: {} };
  const convert = converter(schema, direction);
  if (convert === undefined) return undefined;
  const converted = convert();
  const written = isRecord(converted)
    // Without what is not JSON, and nothing of it shared with the library.
    ? JSON.parse(JSON.stringify(converted)) as JsonObject
    : {};
  delete written.$schema;
  return written;
}

function converter(
  schema: Exclude<DescribingSchema, boolean>,
  direction: Direction,
): (() => unknown) | undefined {
  const { "~standard": standard } = schema as {
    "~standard"?: { jsonSchema?: Partial<Record<Direction, Convert>> };
  };
  const convert = standard?.jsonSchema?.[direction];
  if (convert) {
    return () =>
      tryEach(
        () => convert({ target: TARGET, libraryOptions: LENIENT }),
        () => convert({ target: TARGET }),
      );
  }
  return standard || "safeParse" in schema ? undefined : () => schema;
}

type Convert = (options: Record<string, unknown>) => unknown;

/** What the first of them returns that does not throw. */
function tryEach(...attempts: (() => unknown)[]): unknown {
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch { /* the library cannot write it, or not in this way */ }
  }
  return undefined;
}

/**
 * Takes a property out of the schema of an object: what is left of it, and the
 * property's own schema as that of an object.
 */
export function takeProperty(
  schema: JsonObject,
  name: string,
): { rest: JsonObject; taken: JsonObject | undefined } {
  const { $defs, ...root } = schema;
  const defs = isRecord($defs) ? $defs : {};
  const [rest, taken] = split(root, name, defs);
  const whole = (part: JsonObject) =>
    JSON.stringify(part).includes('"$ref"') && isRecord($defs)
      ? { ...part, $defs }
      : part;
  return { rest: whole(rest), taken: taken && whole(taken) };
}

function split(
  given: JsonObject,
  name: string,
  defs: JsonObject,
): [JsonObject, JsonObject | undefined] {
  const schema = followed(given, defs);
  const { properties, required, allOf } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) {
    const { [name]: own, ...others } = properties;
    const names = Array.isArray(required) ? required : [];
    const rest: JsonObject = { ...schema, properties: others };
    if (names.includes(name)) {
      rest.required = names.filter((other) => other !== name);
    }
    const part = withoutNull(followed(isRecord(own) ? own : {}, defs), defs);
    // What need not be there as a whole need not be in any of its parts.
    if (!names.includes(name)) delete part.required;
    return [rest, part];
  }
  for (const [index, part] of (Array.isArray(allOf) ? allOf : []).entries()) {
    const [rest, taken] = isRecord(part) ? split(part, name, defs) : [part];
    if (taken) {
      return [
        { ...schema, allOf: (allOf as unknown[]).with(index, rest) },
        taken,
      ];
    }
  }
  return [schema, undefined];
}

const DEFINITION = "#/$defs/";

/** The schema that a schema refers to, with what stands beside the reference. */
function followed(given: JsonObject, defs: JsonObject): JsonObject {
  let schema = given;
  const seen = new Set<string>();
  while (
    typeof schema.$ref === "string" && schema.$ref.startsWith(DEFINITION)
  ) {
    const { $ref, ...beside } = schema;
    const name = decodeURIComponent($ref.slice(DEFINITION.length))
      .replaceAll("~1", "/").replaceAll("~0", "~");
    const found = defs[name];
    if (seen.has(name) || !isRecord(found)) break;
    seen.add(name);
    schema = { ...found, ...beside };
  }
  return schema;
}

/** The same without that it may be `null`. */
function withoutNull(schema: JsonObject, defs: JsonObject): JsonObject {
  const { anyOf, ...beside } = schema;
  if (Array.isArray(anyOf)) {
    const left = anyOf.filter((part) =>
      !isRecord(part) || part.type !== "null"
    );
    if (left.length === 1 && isRecord(left[0])) {
      return { ...followed(left[0], defs), ...beside };
    }
  }
  if (Array.isArray(schema.type)) {
    const left = schema.type.filter((type) => type !== "null");
    return { ...schema, type: left.length === 1 ? left[0] : left };
  }
  return { ...schema };
}
