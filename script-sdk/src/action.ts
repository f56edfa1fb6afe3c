/**
 * Actions: something that is done and leaves no object to keep.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import { describing, type DescriptionOptions } from "./describe.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { DescribingSchema } from "./json_schema.ts";
import { Provider } from "./provider.ts";
import { type Awaitable, doneMembers, joinProps } from "./wire.ts";

/** What an action does. */
export interface ActionProviderMethods<TProps> {
  /** Does it. `progress` tells whoever watches how far it is. */
  invoke(
    props: TProps,
    progress: (message: string) => Promise<void>,
    context: CallContext,
  ): Awaitable<Diagnostics | void>;
}

/** How an action is served, and what it says of itself. */
export interface ActionOptions extends DescriptionOptions {
  /**
   * What it takes: JSON Schemas, or schemas of a library that can
   * write them. A script that has them can be part of a typed package. They
   * describe values; nothing is checked by them here.
   */
  schema?: {
    /** The props. */
    props?: DescribingSchema;
  };
}

/**
 * Serves an action.
 *
 * ```ts
 * import { ActionProvider } from "@denobridge/script-sdk";
 *
 * export default new ActionProvider<{ url: string }>({
 *   async invoke({ url }, progress, { signal }) {
 *     await progress(`calling ${url}`);
 *     const answer = await fetch(url, { method: "POST", signal });
 *     if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
 *   },
 * });
 * ```
 */
export class ActionProvider<TProps> extends Provider {
  /** Never there: it tells tests of a provider which types it has. */
  declare readonly "~types"?: { props: TProps };

  /** Begins to serve as soon as the script's modules have been evaluated. */
  constructor(
    methods: ActionProviderMethods<TProps>,
    options?: ActionOptions,
  ) {
    super({
      ...describing("action", options?.schema, options),
      async invoke(params, context) {
        const props = joinProps(params.props, params.writeOnlyProps) as TProps;
        const progress = (message: string) => context.progress(message);
        return doneMembers(await methods.invoke(props, progress, context));
      },
    }, options);
  }
}
