// A cost estimate: what a plan adds to the monthly bill, by a table of prices.
//
//   settings  { budget?: number, prices?: Prices }
import {
  fail,
  integration,
  pass,
  type Resource,
  type State,
} from "@denobridge/script-sdk/integration";
import { valueAt } from "../paths.ts";
import file from "./prices.json" with { type: "json" };

interface Price {
  /** The path of the attribute that the price depends on. */
  by?: string;
  /** Prices by the value of that attribute. */
  prices?: Record<string, number>;
  /** The price, if it depends on nothing. */
  each?: number;
}

interface Prices {
  currency: string;
  types: Record<string, Price>;
}

let prices: Prices = file;
let budget: number | undefined;
/** Changes by instance: one may be planned more than once. */
const changes = new Map<string, Map<string, number>>();

/** What an object costs in a month; undefined where nobody knows. */
function monthly(type: string, state: State): number | undefined {
  if (state === null) return 0;
  const price = prices.types[type];
  if (price?.by === undefined) return price?.each;
  return price.prices?.[String(valueAt(state, price.by))];
}

function key({ urn, address, type, name, id }: Resource, seq: number): string {
  return urn ?? address ?? [type, name ?? id ?? seq].join(".");
}

function signed(amount: number): string {
  return `${amount < 0 ? "-" : "+"}${
    Math.abs(amount).toFixed(2)
  } ${prices.currency} a month`;
}

export default integration({
  name: "cost",
  version: "1.0.0",
  initialize({ settings }) {
    prices = (settings.prices as Prices | undefined) ?? file;
    budget = settings.budget as number | undefined;
    changes.clear();
  },
  hooks: {
    postPlan({ run, resource, action, prior_state, planned_state }) {
      if (action === undefined || planned_state === undefined) return;
      const before = monthly(resource.type, prior_state);
      const after = monthly(resource.type, planned_state);
      if (before === undefined || after === undefined) return;
      const delta = after - before;
      const ofRun = changes.get(run.id) ?? new Map();
      changes.set(run.id, ofRun.set(key(resource, run.seq), delta));
      if (delta === 0) return;
      return pass({
        message: signed(delta),
        metadata: {
          monthly_before: before,
          monthly_after: after,
          monthly_delta: delta,
        },
      });
    },
    planStageComplete({ run }) {
      const ofRun = changes.get(run.id) ?? new Map<string, number>();
      const delta = [...ofRun.values()].reduce((sum, one) => sum + one, 0);
      const metadata = { monthly_delta: delta, priced: ofRun.size };
      if (budget !== undefined && delta > budget) {
        const message = `${signed(delta)} is over the budget of ${
          signed(budget)
        }`;
        return fail(message, { metadata });
      }
      return pass({ message: signed(delta), metadata });
    },
  },
});
