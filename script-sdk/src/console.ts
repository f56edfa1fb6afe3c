/**
 * Standard output belongs to the protocol, so whatever a script prints goes to
 * standard error, from where the host takes it into its log. The library
 * imports this module first: modules are evaluated in the order of their
 * imports, and what is imported after it can no longer print in between.
 *
 * @module
 */

const print = console.error;
const counts = new Map<string, number>();
const timers = new Map<string, number>();

function elapsed(label: string): string {
  const since = timers.get(label);
  return since === undefined
    ? `Timer '${label}' does not exist`
    : `${label}: ${(performance.now() - since).toFixed(3)} ms`;
}

// Deno's own versions of these write to standard output without passing
// through `console.log`, so each has to be replaced by itself.
Object.assign(console, {
  log: print,
  info: print,
  debug: print,
  dir: (value: unknown, options?: Deno.InspectOptions) =>
    print(Deno.inspect(value, options)),
  dirxml: print,
  table: (data: unknown) => print(Deno.inspect(data)),
  group: print,
  groupCollapsed: print,
  groupEnd: () => {},
  count: (label = "default") => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    print(`${label}: ${counts.get(label)}`);
  },
  countReset: (label = "default") => counts.delete(label),
  time: (label = "default") => timers.set(label, performance.now()),
  timeLog: (label = "default", ...data: unknown[]) =>
    print(elapsed(label), ...data),
  timeEnd: (label = "default") => {
    print(elapsed(label));
    timers.delete(label);
  },
});
