/**
 * Providers whose values are checked by schemas on their way in and out. The
 * methods get what the schemas make of the values, defaults and all.
 *
 * @module
 */

import {
  type ActionOptions,
  ActionProvider,
  type ActionProviderMethods,
} from "./action.ts";
import {
  type DatasourceOptions,
  DatasourceProvider,
  type DatasourceProviderMethods,
} from "./datasource.ts";
import { DiagnosticsError, isRecord } from "./diagnostics.ts";
import {
  type EphemeralResourceOptions,
  EphemeralResourceProvider,
  type EphemeralResourceProviderMethods,
} from "./ephemeral_resource.ts";
import type { Members } from "./provider.ts";
import {
  type ResourceOptions,
  ResourceProvider,
  type ResourceProviderMethods,
  type ResourceSchemas,
} from "./resource.ts";
import { type Check, type Infer, parseAll, type Schema } from "./schema.ts";
import { takeDiagnostics, takeValue } from "./wire.ts";

/** How a resource with schemas is served, and what else it says of itself. */
export interface ZodResourceOptions extends Omit<ResourceOptions, "schema"> {
  /** What `list` takes; the rest is known. */
  schema?: Pick<ResourceSchemas, "list">;
}

/** A resource with schemas for its props and, if it has one, its state. */
export class ZodResourceProvider<
  TProps extends Schema,
  TState = void,
  TID = string,
> extends ResourceProvider<
  Infer<TProps>,
  TState extends Schema ? Infer<TState> : TState,
  TID
> {
  /** A resource without a state. */
  constructor(
    propsSchema: TProps,
    methods: ResourceProviderMethods<Infer<TProps>, void, TID>,
    options?: ZodResourceOptions,
  );
  /** A resource with a state. */
  constructor(
    propsSchema: TProps,
    stateSchema: TState,
    methods: ResourceProviderMethods<
      Infer<TProps>,
      TState extends Schema ? Infer<TState> : TState,
      TID
    >,
    options?: ZodResourceOptions,
  );
  constructor(propsSchema: TProps, ...rest: unknown[]) {
    const state = isSchema(rest[0]) ? rest.shift() as Schema : undefined;
    const [methods, options] = rest as [AnyResource, ZodResourceOptions?];
    super(checkedResource(propsSchema, state, methods), {
      ...options,
      schema: { ...options?.schema, props: propsSchema, state },
    });
  }
}

/** A data source with schemas for its props and its result. */
export class ZodDatasourceProvider<
  TProps extends Schema,
  TResult extends Schema,
> extends DatasourceProvider<Infer<TProps>, Infer<TResult>> {
  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    propsSchema: TProps,
    resultSchema: TResult,
    methods: DatasourceProviderMethods<Infer<TProps>, Infer<TResult>>,
    options?: Omit<DatasourceOptions, "schema">,
  ) {
    super({
      async read(given, context) {
        const [props] = await parseAll([propsCheck(propsSchema, given)]);
        const returned = await methods.read(props as Infer<TProps>, context);
        const result = resultCheck(resultSchema);
        return await checkValue(returned, "result", result) as Infer<TResult>;
      },
    }, { ...options, schema: { props: propsSchema, result: resultSchema } });
  }
}

/** An ephemeral resource with schemas for its props, its result and its private data. */
export class ZodEphemeralResourceProvider<
  TProps extends Schema,
  TResult extends Schema,
  TPrivateData extends Schema = never,
> extends EphemeralResourceProvider<
  Infer<TProps>,
  Infer<TResult>,
  Infer<TPrivateData>
> {
  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    propsSchema: TProps,
    resultSchema: TResult,
    privateDataSchema: TPrivateData,
    methods: EphemeralResourceProviderMethods<
      Infer<TProps>,
      Infer<TResult>,
      Infer<TPrivateData>
    >,
    options?: Omit<EphemeralResourceOptions, "schema">,
  ) {
    super(
      checkedEphemeral(
        propsSchema,
        resultSchema,
        privateDataSchema,
        methods as AnyEphemeral,
      ),
      { ...options, schema: { props: propsSchema, result: resultSchema } },
    );
  }
}

/** An action with a schema for its props. */
export class ZodActionProvider<TProps extends Schema>
  extends ActionProvider<Infer<TProps>> {
  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    propsSchema: TProps,
    methods: ActionProviderMethods<Infer<TProps>>,
    options?: Omit<ActionOptions, "schema">,
  ) {
    super({
      async invoke(given, progress, context) {
        const [props] = await parseAll([propsCheck(propsSchema, given)]);
        return await methods.invoke(props as Infer<TProps>, progress, context);
      },
    }, { ...options, schema: { props: propsSchema } });
  }
}

// The schemas have seen the values; the types above have seen the methods.
// deno-lint-ignore no-explicit-any
type AnyResource = ResourceProviderMethods<any, any, any>;
// deno-lint-ignore no-explicit-any
type AnyEphemeral = EphemeralResourceProviderMethods<any, any, any>;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null &&
      ("safeParse" in value || "~standard" in value) ||
    typeof value === "function" && "~standard" in value;
}

function propsCheck(schema: Schema, value: unknown): Check {
  return { schema, value, root: "props", reserved: "writeOnly" };
}

function stateCheck(schema: Schema | undefined, value: unknown): Check {
  return {
    schema: schema ?? anything,
    value,
    root: "state",
    reserved: "sensitive",
  };
}

function resultCheck(schema: Schema): MakeCheck {
  return (value) => ({ schema, value, root: "result", reserved: "sensitive" });
}

/** The state of a resource that has no schema for it. */
const anything: Schema = {
  safeParse: (data: unknown) => ({ success: true as const, data }),
};

function checkedResource(
  propsSchema: Schema,
  stateSchema: Schema | undefined,
  methods: AnyResource,
): AnyResource {
  const props = (value: unknown) => propsCheck(propsSchema, value);
  const state = (value: unknown) => stateCheck(stateSchema, value);
  /** What is `null`, a value that there is none of yet, stays so. */
  const given = (check: Check) =>
    check.value === null || check.value === undefined
      ? { ...check, schema: anything }
      : check;
  const checked: AnyResource = {
    async create(proposed, context) {
      const [next] = await parseAll([props(proposed)]);
      const returned = await methods.create(next, context);
      return await checkCreated(returned, state) as Members & { id: unknown };
    },
    async read(id, known, context) {
      const [current] = await parseAll([given(props(known))]);
      const returned = await methods.read(id, current, context);
      return await checkMembers(returned, { props, state });
    },
    async update(id, next, current, known, context) {
      const [nextProps, currentProps, currentState] = await parseAll([
        props(next),
        props(current),
        given(state(known)),
      ]);
      const returned = await methods.update(
        id,
        nextProps,
        currentProps,
        currentState,
        context,
      );
      return await checkValue(returned, "state", state);
    },
    async delete(id, current, known, context) {
      const values = await parseAll([props(current), given(state(known))]);
      return await methods.delete(id, values[0], values[1], context);
    },
  };
  const { modifyPlan, list } = methods;
  if (list) checked.list = (...given) => list.apply(methods, given);
  if (modifyPlan) {
    checked.modifyPlan = async (
      id,
      planType,
      next,
      current,
      known,
      context,
    ) => {
      const unknown = context.unknownPaths;
      const [nextProps, currentProps, currentState] = await parseAll([
        given({ ...props(next), unknown }),
        given(props(current)),
        given(state(known)),
      ]);
      return await modifyPlan.call(
        methods,
        id,
        planType,
        nextProps,
        currentProps,
        currentState,
        context,
      );
    };
  }
  return checked;
}

type MakeCheck = (value: unknown) => Check;

/** Parses members of what a method returned, where it has them. */
async function checkMembers<T>(
  returned: T,
  checks: Record<string, MakeCheck>,
): Promise<T> {
  const { rest } = takeDiagnostics(returned);
  if (!isRecord(rest) || rest.exists === false) return returned;
  // A state that must be there is missed by its schema, so `undefined` is
  // parsed too. The schema of a resource without state takes it.
  const names = Object.keys(checks);
  const values = await parseAll(names.map((name) => checks[name](rest[name])));
  const parsed = names.map((name, index) => [name, values[index]]);
  return { ...returned, ...Object.fromEntries(parsed) };
}

/** What was made is reported whatever is wrong with its state: it is there. */
async function checkCreated(
  returned: unknown,
  state: MakeCheck,
): Promise<Members> {
  try {
    return await checkMembers(returned, { state }) as Members;
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const own = takeDiagnostics(returned).diagnostics;
    const diagnostics = [...own, ...error.diagnostics];
    return { ...(returned as Members), diagnostics };
  }
}

/** Parses a value that is returned as it is, or beside diagnostics. */
async function checkValue(
  returned: unknown,
  name: "state" | "result",
  check: MakeCheck,
): Promise<unknown> {
  const { value, diagnostics } = takeValue(returned, name);
  // Diagnostics alone: there is no value.
  if (diagnostics.length > 0 && value === undefined) return returned;
  const [parsed] = await parseAll([check(value)]);
  return diagnostics.length > 0 ? { [name]: parsed, diagnostics } : parsed;
}

function checkedEphemeral(
  propsSchema: Schema,
  resultSchema: Schema,
  privateDataSchema: Schema,
  methods: AnyEphemeral,
): AnyEphemeral {
  const privateData = async (value: unknown) => {
    if (value === null || value === undefined) return undefined;
    return (await parseAll([{ schema: privateDataSchema, value }]))[0];
  };
  const lease = async <T>(returned: T): Promise<T> => {
    if (!isRecord(returned) || returned.privateData == null) return returned;
    return {
      ...returned,
      privateData: await privateData(returned.privateData),
    };
  };
  const result = resultCheck(resultSchema);
  const checked: AnyEphemeral = {
    async open(given, context) {
      const [props] = await parseAll([propsCheck(propsSchema, given)]);
      const returned = await lease(await methods.open(props, context));
      return await checkMembers(returned, { result });
    },
  };
  const { renew, close } = methods;
  if (renew) {
    checked.renew = async (given, context) =>
      await lease(
        await renew.call(methods, await privateData(given), context),
      );
  }
  if (close) {
    checked.close = async (given, context) =>
      await close.call(methods, await privateData(given), context);
  }
  return checked;
}
