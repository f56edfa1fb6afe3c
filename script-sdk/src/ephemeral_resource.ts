/**
 * Ephemeral resources: secrets and sessions that last as long as a run.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import { describing, type DescriptionOptions } from "./describe.ts";
import { type Diagnostics, isRecord } from "./diagnostics.ts";
import { RpcError } from "./json_rpc.ts";
import type { DescribingSchema } from "./json_schema.ts";
import { type Members, Provider } from "./provider.ts";
import {
  type Awaitable,
  defined,
  doneMembers,
  joinProps,
  resultMembers,
  takeDiagnostics,
  withDiagnostics,
} from "./wire.ts";

/** When and how to renew what has been opened. */
export interface Lease<TPrivateData> {
  /** When `renew` is to be called: a date, or seconds since 1970. */
  renewAt?: number | Date;
  /** What `renew` and `close` get. Nobody else sees it. */
  privateData?: TPrivateData;
}

/** What an ephemeral resource does. */
export interface EphemeralResourceProviderMethods<
  TProps,
  TResult,
  TPrivateData = never,
> {
  /** Opens it. The secret part of the result is its member `sensitive`. */
  open(
    props: TProps,
    context: CallContext,
  ): Awaitable<
    | Diagnostics
    | ({ result: TResult } & Lease<TPrivateData> & Partial<Diagnostics>)
  >;
  /** Keeps it open for longer. */
  renew?(
    privateData: TPrivateData,
    context: CallContext,
  ): Awaitable<Diagnostics | (Lease<TPrivateData> & Partial<Diagnostics>)>;
  /** Called when nobody needs it any more. */
  close?(
    privateData: TPrivateData,
    context: CallContext,
  ): Awaitable<Diagnostics | void>;
}

/** How an ephemeral resource is served, and what it says of itself. */
export interface EphemeralResourceOptions extends DescriptionOptions {
  /**
   * What it takes and returns: JSON Schemas, or schemas of a library that can
   * write them. A script that has them can be part of a typed package. They
   * describe values; nothing is checked by them here.
   */
  schema?: {
    /** The props. */
    props?: DescribingSchema;
    /** The result, with its secrets under `sensitive`. */
    result?: DescribingSchema;
  };
}

/**
 * Serves an ephemeral resource.
 *
 * ```ts
 * import { EphemeralResourceProvider } from "@denobridge/script-sdk";
 *
 * export default new EphemeralResourceProvider<unknown, { sensitive: { token: string } }>({
 *   open() {
 *     return { result: { sensitive: { token: crypto.randomUUID() } } };
 *   },
 * });
 * ```
 */
export class EphemeralResourceProvider<TProps, TResult, TPrivateData = never>
  extends Provider {
  /** Never there: it tells tests of a provider which types it has. */
  declare readonly "~types"?: { props: TProps; result: TResult };

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    methods: EphemeralResourceProviderMethods<TProps, TResult, TPrivateData>,
    options?: EphemeralResourceOptions,
  ) {
    const { schema } = options ?? {};
    const schemas = schema && { props: schema.props, state: schema.result };
    super({
      ...describing("ephemeral", schemas, options),
      async open(params, context) {
        const props = joinProps(params.props, params.writeOnlyProps) as TProps;
        return answer(await methods.open(props, context));
      },
      async renew({ privateData }, context) {
        if (!methods.renew) throw RpcError.methodNotFound("renew");
        return answer(
          await methods.renew(privateData as TPrivateData, context),
        );
      },
      async close({ privateData }, context) {
        if (!methods.close) throw RpcError.methodNotFound("close");
        return doneMembers(
          await methods.close(privateData as TPrivateData, context),
        );
      },
    }, options);
  }
}

function answer(returned: unknown): Members {
  const { rest, diagnostics } = takeDiagnostics(returned);
  const { result, renewAt, ...members } = isRecord(rest) ? rest : {};
  const seconds = renewAt instanceof Date
    ? Math.floor(renewAt.getTime() / 1000)
    : renewAt;
  return withDiagnostics(
    { ...members, ...resultMembers(result), ...defined({ renewAt: seconds }) },
    diagnostics,
  );
}
