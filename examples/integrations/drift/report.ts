// What drifted in a run, as JSON for programs and as Markdown for people.

/** An object that is no longer as it was left. */
export interface Drifted {
  /** What people know it by. */
  name: string;
  type: string;
  id: string | null;
  /** It is no longer there. */
  gone: boolean;
  /** Paths that differ from the stored state. */
  paths: string[];
}

/** All of a run. */
export interface Report {
  run: string;
  project: string | null;
  workspace: string | null;
  drifted: Drifted[];
}

/** `2 objects have drifted, 1 of them has gone`; undefined for none. */
export function summary(drifted: readonly Drifted[]): string | undefined {
  if (drifted.length === 0) return undefined;
  const gone = drifted.filter((one) => one.gone).length;
  const objects = drifted.length === 1 ? "object has" : "objects have";
  const tail = gone > 0
    ? `, ${gone} of them ${gone === 1 ? "has" : "have"} gone`
    : "";
  return `${drifted.length} ${objects} drifted${tail}`;
}

export function markdown({ project, workspace, drifted }: Report): string {
  const place = [project, workspace].filter(Boolean).join(", ");
  const rows = drifted.map(({ name, id, gone, paths }) =>
    `| ${cell(name)} | ${cell(id ?? "")} | ${
      gone ? "gone" : paths.map(cell).join(", ")
    } |`
  );
  const table = rows.length > 0
    ? ["| object | id | differs in |", "|---|---|---|", ...rows]
    : ["Nothing."];
  return [`# Drift${place && `: ${place}`}`, "", ...table, ""].join("\n");
}

function cell(text: string): string {
  return text.replaceAll(/[|\\`<>]/g, "\\$&").replaceAll("\n", " ");
}

/**
 * Writes `drift.json` and `drift.md` into a folder. What other provider
 * processes of the same run have written there stays.
 */
export async function write(folder: string, own: Report): Promise<Report> {
  await Deno.mkdir(folder, { recursive: true });
  const options = { read: true, write: true, create: true };
  using file = await Deno.open(`${folder}/drift.json`, options);
  await file.lock(true);
  const report = merged(await read(file), own);
  const text = new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`);
  await file.seek(0, Deno.SeekMode.Start);
  await file.truncate();
  await writeAll(file, text);
  await Deno.writeTextFile(`${folder}/drift.md`, markdown(report));
  return report;
}

async function read(file: Deno.FsFile): Promise<Report | undefined> {
  const { size } = await file.stat();
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // New, or written by somebody else.
    return undefined;
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += await file.write(bytes.subarray(written));
  }
}

function merged(before: Report | undefined, own: Report): Report {
  if (before?.run !== own.run) return own;
  const names = new Set(own.drifted.map(({ name }) => name));
  const others = before.drifted.filter(({ name }) => !names.has(name));
  return { ...own, drifted: [...others, ...own.drifted] };
}
