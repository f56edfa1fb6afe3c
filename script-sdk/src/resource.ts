/**
 * Resources: objects with a life of their own.
 *
 * @module
 */

import type { CallContext, PlanContext, ReadContext } from "./context.ts";
import { describing, type DescriptionOptions } from "./describe.ts";
import { type Diagnostics, hasError, isRecord } from "./diagnostics.ts";
import { RpcError } from "./json_rpc.ts";
import type { DescribingSchema } from "./json_schema.ts";
import { type Members, type Methods, Provider } from "./provider.ts";
import {
  type Awaitable,
  defined,
  doneMembers,
  joinProps,
  joinSensitive,
  splitSensitive,
  stateMembers,
  takeDiagnostics,
  takeValue,
  withDiagnostics,
} from "./wire.ts";

/** What is to be done with an object. */
export type PlanType = "create" | "update" | "delete";

/** A member `state`, where a resource has one. */
export type WithState<TState> = [TState] extends [void] ? unknown
  : { state: TState };

/** What `modifyPlan` may answer. */
export interface PlanChanges<TProps, TState> extends Partial<Diagnostics> {
  /** Delete the object and create another. */
  requiresReplacement?: boolean;
  /**
   * The props to plan with. Terraform and Pulumi accept only the present ones,
   * which say that nothing is to change, and the ones asked for.
   */
  modifiedProps?: TProps;
  /**
   * The state after the change, so that what depends on it can be planned
   * too. It must be what `create` or `update` answers then.
   */
  plannedState?: TState;
}

/** What `list` is asked for. */
export interface ListQuery {
  /** Whether whoever asks wants props and state too, not only ids. */
  includeObject: boolean;
  /** How many objects are wanted at most; `null` for all of them. */
  limit: number | null;
  /** Where to go on: what the page before answered; `null` for the first. */
  cursor: unknown;
}

/** An object that `list` has found. */
export type ListedObject<TProps, TState, TID> =
  & {
    id: TID;
    /** What people call it; its id unless it is given. */
    displayName?: string;
    props?: TProps;
    state?: TState;
  }
  & Partial<Diagnostics>;

/** Some of the objects, and where the others begin. */
export interface ListPage<TProps, TState, TID> extends Partial<Diagnostics> {
  objects: ListedObject<TProps, TState, TID>[];
  /** Handed to `list` for the next page. Left out when there is none. */
  cursor?: unknown;
}

/**
 * What a resource does. Every method may return diagnostics instead of, or
 * beside, what it is asked for. The secret part of a state is its member
 * `sensitive`; write-only props are the member `writeOnly` of the props.
 */
export interface ResourceProviderMethods<TProps, TState = void, TID = string> {
  /** Makes the object. Its id is how it is found from then on. */
  create(
    props: TProps,
    context: CallContext,
  ): Awaitable<
    Diagnostics | ({ id: TID } & WithState<TState> & Partial<Diagnostics>)
  >;
  /**
   * Looks at the object as it really is. `props` are as last known, and `null`
   * after an import that gives none.
   */
  read(
    id: TID,
    props: TProps | null,
    context: ReadContext<TState>,
  ): Awaitable<
    | Diagnostics
    | ({ props: TProps } & WithState<TState> & Partial<Diagnostics>)
    | { exists: false }
  >;
  /** Changes the object and returns its new state. */
  update(
    id: TID,
    nextProps: TProps,
    currentProps: TProps,
    currentState: TState,
    context: CallContext,
  ): Awaitable<Diagnostics | TState>;
  /** Removes the object. */
  delete(
    id: TID,
    props: TProps,
    state: TState,
    context: CallContext,
  ): Awaitable<Diagnostics | void>;
  /**
   * Looks at a change before it is made. Changes nothing. `id`, `currentProps`
   * and `currentState` are `null` for a create, `nextProps` for a delete.
   */
  modifyPlan?(
    id: TID | null,
    planType: PlanType,
    nextProps: TProps | null,
    currentProps: TProps | null,
    currentState: TState | null,
    context: PlanContext,
  ): Awaitable<PlanChanges<TProps, TState> | undefined | void>;
  /**
   * Finds objects that exist. `props` say which, in a form of the script's
   * own. Returns all of them, or a page.
   */
  list?(
    // deno-lint-ignore no-explicit-any
    props: any,
    query: ListQuery,
    context: CallContext,
  ): Awaitable<
    | Diagnostics
    | ListedObject<TProps, TState, TID>[]
    | ListPage<TProps, TState, TID>
  >;
}

/** How a resource is served, and what it says of itself. */
export interface ResourceOptions extends DescriptionOptions {
  /** The version of what `create`, `read` and `update` return as state. */
  stateVersion?: number;
  /**
   * What the resource takes and returns: JSON Schemas, or schemas of a library
   * that can write them. A script that has them can be part of a typed
   * package. They describe values; nothing is checked by them here.
   */
  schema?: ResourceSchemas;
}

/** What a resource takes and returns. */
export interface ResourceSchemas {
  /** The props, with the write-only ones under `writeOnly`. */
  props?: DescribingSchema;
  /** The state, with its secrets under `sensitive`. */
  state?: DescribingSchema;
  /** What `list` takes. */
  list?: DescribingSchema;
}

/**
 * Serves a resource.
 *
 * ```ts
 * import { ResourceProvider } from "@denobridge/script-sdk";
 *
 * export default new ResourceProvider<{ path: string; text: string }>({
 *   async create({ path, text }) {
 *     await Deno.writeTextFile(path, text, { createNew: true });
 *     return { id: path };
 *   },
 *   async read(id) {
 *     try {
 *       return { props: { path: id, text: await Deno.readTextFile(id) } };
 *     } catch (error) {
 *       if (error instanceof Deno.errors.NotFound) return { exists: false };
 *       throw error;
 *     }
 *   },
 *   async update(id, { text }) {
 *     await Deno.writeTextFile(id, text);
 *   },
 *   async delete(id) {
 *     await Deno.remove(id);
 *   },
 *   modifyPlan(_id, planType, next, current) {
 *     return { requiresReplacement: planType === "update" && next?.path !== current?.path };
 *   },
 * });
 * ```
 */
export class ResourceProvider<TProps, TState = void, TID = string>
  extends Provider {
  /** Never there: it tells tests of a provider which types it has. */
  declare readonly "~types"?: { props: TProps; state: TState; id: TID };

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    methods: ResourceProviderMethods<TProps, TState, TID>,
    options?: ResourceOptions,
  ) {
    const schemas = options?.schema && {
      ...options.schema,
      list: methods.list && (options.schema.list ?? { type: "object" }),
    };
    super({
      // The contract's values are checked by nobody else but schemas, if any.
      ...resourceMethods(methods as AnyResource),
      ...describing("resource", schemas, options),
    }, options);
  }
}

// deno-lint-ignore no-explicit-any
type AnyResource = ResourceProviderMethods<any, any, any>;

function resourceMethods(script: AnyResource): Methods {
  return {
    async create(params, context) {
      const props = joinProps(params.props, params.writeOnlyProps);
      return answerWithState(await script.create(props, context));
    },
    async read({ id, props, state, sensitiveState }, context) {
      const known = joinSensitive(state, sensitiveState);
      const returned = await script.read(id, props ?? null, {
        ...context,
        state: known,
      });
      return answerWithState(returned);
    },
    async update(params, context) {
      const returned = await script.update(
        params.id,
        joinProps(params.nextProps, params.nextWriteOnlyProps),
        params.currentProps,
        joinSensitive(params.currentState, params.currentSensitiveState),
        context,
      );
      const { value, diagnostics } = takeValue(returned, "state");
      return withDiagnostics(stateMembers(value), diagnostics);
    },
    async delete({ id, props, state, sensitiveState }, context) {
      const known = joinSensitive(state, sensitiveState);
      return doneMembers(await script.delete(id, props, known, context));
    },
    async modifyPlan(params, context) {
      if (!script.modifyPlan) throw RpcError.methodNotFound("modifyPlan");
      const returned = await script.modifyPlan(
        params.id || null,
        params.planType as PlanType,
        params.nextProps ?? null,
        params.currentProps ?? null,
        joinSensitive(params.currentState, params.currentSensitiveState),
        { ...context, unknownPaths: unknownPaths(params.unknownPaths) },
      );
      return planned(returned);
    },
    async list(params, context) {
      if (!script.list) throw RpcError.methodNotFound("list");
      const { props, includeObject, limit, cursor } = params;
      const query = {
        includeObject: includeObject === true,
        limit: (limit ?? null) as number | null,
        cursor: cursor ?? null,
      };
      return listed(await script.list(props ?? {}, query, context));
    },
  };
}

function listed(returned: unknown): Members {
  const page = Array.isArray(returned) ? { objects: returned } : returned;
  const { rest, diagnostics } = takeDiagnostics(page);
  if (!isRecord(rest)) return withDiagnostics({}, diagnostics);
  const { objects, cursor } = rest as unknown as ListPage<
    unknown,
    unknown,
    unknown
  >;
  const found = objects.map(({ state, ...object }) => ({
    ...object,
    ...stateMembers(state),
  }));
  return withDiagnostics(defined({ objects: found, cursor }), diagnostics);
}

function answerWithState(returned: unknown): Members {
  const { rest, diagnostics } = takeDiagnostics(returned);
  const { state, ...members } = isRecord(rest) ? rest : {};
  return withDiagnostics({ ...members, ...stateMembers(state) }, diagnostics);
}

function planned(returned: unknown): Members {
  if (returned === undefined || returned === null) return { noChanges: true };
  const { rest, diagnostics } = takeDiagnostics(returned);
  const { plannedState, ...members } = isRecord(rest) ? rest : {};
  // Secrets cannot be planned: what depends on them waits for the change.
  const [state] = splitSensitive(plannedState);
  if (hasError(diagnostics)) return { diagnostics };
  return withDiagnostics(
    { ...members, ...defined({ plannedState: state }) },
    diagnostics,
  );
}

/** The paths without their first step, which is always `nextProps`. */
function unknownPaths(given: unknown): (string | number)[][] {
  if (!Array.isArray(given)) return [];
  return given.filter(Array.isArray).map((path) => path.slice(1));
}
