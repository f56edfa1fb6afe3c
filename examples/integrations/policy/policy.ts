// A policy check: refuses what breaks a rule before it is planned, and again
// before it is applied, when everything is known.
//
//   settings  { rules?: Rule[] }   instead of those in rules.json
import {
  fail,
  integration,
  type Result,
  warn,
} from "@denobridge/script-sdk/integration";
import file from "./rules.json" with { type: "json" };
import { broken, checked, type Rule, type Subject } from "./rules.ts";

let rules: Rule[] = [];

function verdict(subject: Subject): Result | undefined {
  const found = broken(rules, subject);
  if (found.length === 0) return undefined;
  const messages = found.map(([{ name, message }, what]) =>
    `${name}: ${what}; ${message}`
  );
  const metadata = { broken_rules: found.map(([{ name }]) => name) };
  const isBad = found.some(([{ severity }]) => severity !== "warn");
  return isBad ? fail(messages, { metadata }) : warn(messages, { metadata });
}

export default integration({
  name: "policy",
  version: "1.0.0",
  initialize({ settings, log }) {
    rules = checked(settings.rules ?? file);
    log("info", `${rules.length} rules`);
  },
  hooks: {
    prePlan({ resource, proposed_state, redacted, unknown }) {
      return verdict({
        type: resource.type,
        state: proposed_state,
        redacted: redacted.proposed_state ?? [],
        unknown: unknown.proposed_state ?? [],
      });
    },
    preApply({ resource, action, planned_state, redacted, unknown }) {
      if (action === "no-op") return;
      return verdict({
        type: resource.type,
        state: planned_state,
        redacted: redacted.planned_state ?? [],
        unknown: unknown.planned_state ?? [],
      });
    },
  },
});
