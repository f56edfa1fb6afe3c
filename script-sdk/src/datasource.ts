/**
 * Data sources: looking something up.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { Provider, type ProviderOptions } from "./provider.ts";
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
    options?: ProviderOptions,
  ) {
    super({
      async read(params, context) {
        const props = joinProps(params.props, params.writeOnlyProps) as TProps;
        const returned = await methods.read(props, context);
        const { value, diagnostics } = takeValue(returned, "result");
        return withDiagnostics(resultMembers(value), diagnostics);
      },
    }, options);
  }
}
