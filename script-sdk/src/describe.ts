/**
 * What a provider says of itself: the answer to `schema`, of which typed
 * packages are made.
 *
 * @module
 */

import { RpcError } from "./json_rpc.ts";
import {
  type DescribingSchema,
  type Direction,
  type JsonObject,
  jsonSchema,
  takeProperty,
} from "./json_schema.ts";
import type { Members, Methods, ProviderOptions } from "./provider.ts";
import { defined } from "./wire.ts";

/** What a component is called, and what there is to say about it. */
export interface DescriptionOptions extends ProviderOptions {
  /**
   * What the component is called in a typed package, in PascalCase. Without it
   * the name of the file: `storage_bucket.ts` is `StorageBucket`.
   */
  name?: string;
  /**
   * What it is for, in Markdown. Without it what the schema of the props says
   * about itself.
   */
  description?: string;
  /** That it should not be used any more, or what to use instead. */
  deprecated?: boolean | string;
}

/** The kinds of components. */
export type Kind = "resource" | "datasource" | "ephemeral" | "action";

/** The schemas of a component, as its options have them. */
export interface ComponentSchemas {
  props?: DescribingSchema;
  /** The state or the result. */
  state?: DescribingSchema;
  list?: DescribingSchema;
}

/** The method `schema` of a component; it is not there without schemas. */
export function describing(
  kind: Kind,
  schemas: ComponentSchemas | undefined,
  options: DescriptionOptions & { stateVersion?: number } = {},
): Methods {
  if (schemas === undefined) return {};
  return answering(() => {
    const props = written(schemas.props, "input");
    const state = written(schemas.state, "output");
    // Only resources have write-only props.
    const given = kind === "resource"
      ? part(props, "writeOnly")
      : { rest: props, taken: undefined };
    const returned = part(state, "sensitive");
    return {
      kind,
      name: options.name,
      description: options.description ?? text(props?.description) ??
        text(props?.title),
      deprecated: options.deprecated ?? text(props?.["x-deprecated"]) ??
        (props?.deprecated === true || undefined),
      props: given.rest,
      writeOnlyProps: given.taken,
      state: returned.rest,
      sensitiveState: returned.taken,
      list: written(schemas.list, "input"),
      stateVersion: options.stateVersion,
    };
  });
}

/** What a function takes in one place. */
export interface ParameterDescription {
  /** Its name. */
  name: string;
  /** What it is for, in Markdown. */
  description?: string;
  /** Which values it takes. */
  schema: DescribingSchema;
}

/** What a function is for, takes and returns. */
export interface FunctionDescription<
  // deno-lint-ignore no-explicit-any
  TArguments extends any[] = any[],
> {
  /** What it is for, in Markdown. */
  description?: string;
  /** That it should not be used any more, or what to use instead. */
  deprecated?: boolean | string;
  /** What it takes, in order, without what `variadic` takes. */
  parameters: number extends TArguments["length"] ? ParameterDescription[]
    : { [Index in keyof Required<TArguments>]: ParameterDescription };
  /** What takes all further arguments. */
  variadic?: ParameterDescription;
  /** What it returns. */
  returns: DescribingSchema;
}

/** The method `schema` of a script of functions. */
export function describingFunctions(
  functions: Readonly<Record<string, FunctionDescription>> | undefined,
  options: DescriptionOptions = {},
): Methods {
  if (functions === undefined) return {};
  return answering(() => {
    const described = Object.entries(functions).map((
      [name, { description, deprecated, parameters, variadic, returns }],
    ) => [
      name,
      defined({
        description,
        deprecated,
        parameters: parameters.map(parameter),
        variadic: variadic && parameter(variadic),
        returns: written(returns, "output"),
      }),
    ]);
    const { name, description, deprecated } = options;
    return {
      kind: "function",
      name,
      description,
      deprecated,
      functions: Object.fromEntries(described),
    };
  });
}

function parameter(given: ParameterDescription): Members {
  const { name, description } = given;
  const schema = written(given.schema, "input");
  return defined({
    name,
    description: description ?? text(schema?.description),
    schema,
  });
}

function answering(describe: () => Members): Methods {
  return {
    // What is thrown is the answer to the call.
    // deno-lint-ignore require-await
    async schema() {
      return defined(describe());
    },
  };
}

function written(
  schema: DescribingSchema | undefined,
  direction: Direction,
): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const found = jsonSchema(schema, direction);
  if (found !== undefined) return found;
  const { code, message } = RpcError.methodNotFound("schema");
  throw new RpcError(
    code,
    `${message}: the schemas' library does not write JSON Schema (Standard JSON Schema, as Zod since 4.2 and ArkType since 2.1.28)`,
  );
}

function part(
  schema: JsonObject | undefined,
  name: string,
): { rest: JsonObject | undefined; taken: JsonObject | undefined } {
  return schema
    ? takeProperty(schema, name)
    : { rest: undefined, taken: undefined };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
