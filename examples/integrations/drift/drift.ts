// A drift report: what is no longer as the last run has left it, as a warning
// for each object, and as Markdown and JSON for the whole run.
//
//   settings  { folder?: string }   where drift.json and drift.md are written
import {
  integration,
  type PostRefresh,
  warn,
} from "@denobridge/script-sdk/integration";
import { type Drifted, summary, write } from "./report.ts";

let folder = "drift";
/** By run, and by what the objects are called: refreshed twice is once. */
const found = new Map<string, Map<string, Drifted>>();

function drifted(event: PostRefresh): Drifted | undefined {
  const { resource, prior_state, new_state, drift } = event;
  const { type, id, urn, address, name } = resource;
  const gone = prior_state !== null && new_state === null;
  if (event.import || (!gone && (drift ?? []).length === 0)) return undefined;
  return {
    name: urn ?? address ?? [type, name ?? id].filter(Boolean).join(" "),
    type,
    id,
    gone,
    paths: gone ? [] : drift ?? [],
  };
}

export default integration({
  name: "drift",
  version: "1.0.0",
  initialize({ settings }) {
    folder = (settings.folder as string | undefined) ?? "drift";
    found.clear();
  },
  hooks: {
    postRefresh(event) {
      const one = drifted(event);
      if (one === undefined) return;
      const ofRun = found.get(event.run.id) ?? new Map<string, Drifted>();
      const isNew = !ofRun.has(one.name);
      found.set(event.run.id, ofRun.set(one.name, one));
      if (!isNew) return;
      return warn(
        one.gone
          ? "it has gone, although no run has removed it"
          : `it was changed outside of the last run: ${one.paths.join(", ")}`,
        { metadata: { drift: one.paths, gone: one.gone } },
      );
    },
    async planStageComplete({ run }) {
      const own = [...found.get(run.id)?.values() ?? []];
      const { project, workspace } = run;
      const report = { run: run.id, project, workspace, drifted: own };
      await write(folder, report);
      const told = summary(own);
      if (told !== undefined) {
        return warn(`${told}: see ${folder}/drift.md`, {
          metadata: { drifted: own.length },
        });
      }
    },
  },
});
