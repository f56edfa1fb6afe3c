// Paths as states and rules have them: `tags.team`, `disks[0].size`,
// `labels["a.b"]`. The key of a map may be written either way.

/** The names and positions that a path leads along. */
export function steps(path: string): string[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d*)\]|([^.[\]]+)/g);
  return [...parts].map(([, key, index, name]) =>
    name ?? index ?? key.replaceAll(/\\(.)/g, "$1")
  );
}

/** What is at a path of a value; undefined where there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of steps(path)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at ?? undefined;
}

/** Whether one of the paths is this one, leads to it or begins with it. */
export function touches(paths: readonly string[], path: string): boolean {
  const own = steps(path);
  return paths.some((other) =>
    // As far as the shorter of them goes.
    steps(other).every((step, index) =>
      index >= own.length || step === own[index]
    )
  );
}

/** Whether a name fits a pattern, in which `*` stands for anything. */
export function fits(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) =>
    part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
