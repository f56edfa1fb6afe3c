/**
 * Data sources: looking something up.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import { describing, type DescriptionOptions } from "./describe.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { DescribingSchema } from "./json_schema.ts";
import { Provider } from "./provider.ts";
import {
  type Awaitable,
  joinProps,
  resultMembers,
  takeValue,
  withDiagnostics,
} from "./wire.ts";

/** What a data source does. */
export interface DatasourceProviderMethods<TProps, TResult> {
  /**
   * Looks it up. The secret part of the result is its member `sensitive`.
   * Diagnostics may be returned instead of a result, or beside its members.
   */
  read(props: TProps, context: CallContext): Awaitable<Diagnostics | TResult>;
}

/** How a data source is served, and what it says of itself. */
export interface DatasourceOptions extends DescriptionOptions {
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
 * Serves a data source.
 *
 * ```ts
 * import { DatasourceProvider } from "@denobridge/script-sdk";
 *
 * export default new DatasourceProvider<{ name: string }, { addresses: string[] }>({
 *   async read({ name }, { signal }) {
 *     return { addresses: await Deno.resolveDns(name, "A", { signal }) };
 *   },
 * });
 * ```
 */
export class DatasourceProvider<TProps, TResult> extends Provider {
  /** Never there: it tells tests of a provider which types it has. */
  declare readonly "~types"?: { props: TProps; result: TResult };

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    methods: DatasourceProviderMethods<TProps, TResult>,
    options?: DatasourceOptions,
  ) {
    const { schema } = options ?? {};
    const schemas = schema && { props: schema.props, state: schema.result };
    super({
      ...describing("datasource", schemas, options),
      async read(params, context) {
        const props = joinProps(params.props, params.writeOnlyProps) as TProps;
        const returned = await methods.read(props, context);
        const { value, diagnostics } = takeValue(returned, "result");
        return withDiagnostics(resultMembers(value), diagnostics);
      },
    }, options);
  }
}
