/**
 * Standard output belongs to the protocol, so whatever a script prints goes to
 * standard error, from where the host takes it into its log. The library
 * imports this module first: modules are evaluated in the order of their
 * imports, and what is imported after it can no longer print in between.
 *
 * @module
 */

/** Priorities as systemd's daemons write them in front of a line. */
const priority = { error: 3, warning: 4, info: 6, debug: 7 } as const;

const print = console.error;
const counts = new Map<string, number>();
const timers = new Map<string, number>();
let marked = false;

/** Lets every message say its level, for a host that asks for it. */
export function markLevels(): void {
  marked = true;
}

function printer(level: keyof typeof priority) {
  return (...data: unknown[]): void => {
    if (!marked) return print(...data);
    const mark = `<${priority[level]}>`;
    const [first, ...rest] = data;
    // A text that comes first may have places for what follows it.
    if (typeof first === "string") print(mark + first, ...rest);
    else print(mark, ...data);
  };
}

const info = printer("info");

function elapsed(label: string): string {
  const since = timers.get(label);
  return since === undefined
    ? `Timer '${label}' does not exist`
    : `${label}: ${(performance.now() - since).toFixed(3)} ms`;
}

// Deno's own versions of these write to standard output without passing
// through `console.log`, so each has to be replaced by itself.
Object.assign(console, {
  error: printer("error"),
  warn: printer("warning"),
  log: info,
  info,
  debug: printer("debug"),
  dir: (value: unknown, options?: Deno.InspectOptions) =>
    info(Deno.inspect(value, options)),
  dirxml: info,
  table: (data: unknown) => info(Deno.inspect(data)),
  group: info,
  groupCollapsed: info,
  groupEnd: () => {},
  count: (label = "default") => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    info(`${label}: ${counts.get(label)}`);
  },
  countReset: (label = "default") => counts.delete(label),
  time: (label = "default") => timers.set(label, performance.now()),
  timeLog: (label = "default", ...data: unknown[]) =>
    info(elapsed(label), ...data),
  timeEnd: (label = "default") => {
    info(elapsed(label));
    timers.delete(label);
  },
});
