// Dotted paths with [index], as states and rules have them.

/** What is at a path of a value; undefined where there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[name ?? index];
  }
  return at ?? undefined;
}

/** Whether one of the paths is this one, leads to it or begins with it. */
export function touches(paths: readonly string[], path: string): boolean {
  const within = (inner: string, outer: string) =>
    inner === outer || outer === "" ||
    (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)));
  return paths.some((other) => within(path, other) || within(other, path));
}

/** Whether a name fits a pattern, in which `*` stands for anything. */
export function fits(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) =>
    part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
