// The rules: what they can say, and what they have against an instance.
import type { State } from "@denobridge/script-sdk/integration";
import { fits, touches, valueAt } from "../paths.ts";

export interface Rule {
  /** Stands before the message. */
  name: string;
  /** Patterns of the types that it is about; all, if there are none. */
  types?: string[];
  /** There must be none of these types. */
  forbid?: boolean;
  /** There must be something at each of these paths. */
  require?: string[];
  /** What `matches` and `one_of` are about. */
  path?: string;
  /** A regular expression for text at `path`. */
  matches?: string;
  /** The values that there may be at `path`. */
  one_of?: unknown[];
  /** What there is must stay. */
  prevent_destroy?: boolean;
  /** `fail` unless it says `warn`. */
  severity?: "fail" | "warn";
  /** Why, and what to do. */
  message: string;
}

const KEYS = new Set([
  "name",
  "types",
  "forbid",
  "require",
  "path",
  "matches",
  "one_of",
  "prevent_destroy",
  "severity",
  "message",
]);

/** What is planned for an instance, as far as it is known. */
export interface Subject {
  type: string;
  /** Null when it is to go. */
  state: State;
  /** Paths that are there but not to be seen. */
  redacted: string[];
  /** Paths that are not known yet. */
  unknown: string[];
}

/** Refuses rules with words that mean nothing: they would never be broken. */
export function checked(rules: unknown): Rule[] {
  if (!Array.isArray(rules)) throw new TypeError("rules must be a list");
  for (const rule of rules) {
    const unknown = Object.keys(rule).find((key) => !KEYS.has(key));
    if (unknown) throw new TypeError(`rule ${rule.name}: unknown "${unknown}"`);
    if (!rule.name || !rule.message) {
      throw new TypeError("a rule needs a name and a message");
    }
    new RegExp(rule.matches ?? "");
  }
  return rules;
}

/** The rules that an instance breaks, each with what it has against it. */
export function broken(rules: Rule[], subject: Subject): [Rule, string][] {
  return rules
    .filter(({ types }) =>
      types?.some((type) => fits(subject.type, type)) ?? true
    )
    .flatMap((rule) =>
      complaints(rule, subject).map((what): [Rule, string] => [rule, what])
    );
}

function complaints(rule: Rule, subject: Subject): string[] {
  const { state } = subject;
  if (state === null) return rule.prevent_destroy ? ["would be removed"] : [];
  const found: string[] = rule.forbid ? ["is of a forbidden type"] : [];
  // What is not known yet is looked at when it is: before it is applied.
  const isOpen = (path: string) => touches(subject.unknown, path);
  const isHidden = (path: string) => touches(subject.redacted, path);
  for (const path of rule.require ?? []) {
    const value = valueAt(state, path);
    const isThere = value !== undefined && value !== "";
    if (!isThere && !isOpen(path) && !isHidden(path)) {
      found.push(`has no ${path}`);
    }
  }
  const value = rule.path === undefined ? undefined : valueAt(state, rule.path);
  if (value === undefined) return found;
  const { matches, one_of } = rule;
  if (matches !== undefined && !new RegExp(matches).test(String(value))) {
    found.push(`has the ${rule.path} ${JSON.stringify(value)}`);
  }
  if (one_of !== undefined && !one_of.includes(value)) {
    found.push(`has the ${rule.path} ${JSON.stringify(value)}`);
  }
  return found;
}
