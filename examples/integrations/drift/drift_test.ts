import { deepEqual, equal } from "node:assert/strict";
import { startIntegration } from "@denobridge/script-sdk/testing";
import drift from "./drift.ts";
import type { Report } from "./report.ts";

const before = { size: "small", tags: { team: "a" } };
const changed = {
  prior_state: before,
  new_state: { size: "large", tags: {} },
  drift: ["size", "tags.team"],
};

async function inFolder(run: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  try {
    await run(`${folder}/drift`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function written(folder: string): Promise<[Report, string]> {
  const json = await Deno.readTextFile(`${folder}/drift.json`);
  return [JSON.parse(json), await Deno.readTextFile(`${folder}/drift.md`)];
}

Deno.test("what has changed is told once, and listed", () =>
  inFolder(async (folder) => {
    await using under = await startIntegration(drift, { folder });
    deepEqual(await under.ask("postRefresh", changed), {
      status: "warn",
      message: "it was changed outside of the last run: size, tags.team",
      metadata: { drift: ["size", "tags.team"], gone: false },
    });
    deepEqual(await under.ask("postRefresh", changed), { status: "pass" });
    const gone = {
      resource: { name: "old", id: "1" },
      prior_state: before,
      new_state: null,
    };
    await under.ask("postRefresh", gone);
    deepEqual(await under.ask("planStageComplete"), {
      status: "warn",
      message:
        `2 objects have drifted, 1 of them has gone: see ${folder}/drift.md`,
      metadata: { drifted: 2 },
    });
    const [report, text] = await written(folder);
    deepEqual(report.drifted.map(({ name }) => name), [
      "example_server.web",
      "example_server.old",
    ]);
    equal(
      text,
      `# Drift: test, default

| object | id | differs in |
|---|---|---|
| example_server.web |  | size, tags.team |
| example_server.old | 1 | gone |
`,
    );
  }));

Deno.test("without drift there is an empty report", () =>
  inFolder(async (folder) => {
    await using under = await startIntegration(drift, { folder });
    const same = { prior_state: before, new_state: before, drift: [] };
    deepEqual(await under.ask("postRefresh", same), { status: "pass" });
    const imported = { new_state: before, drift: ["size"], import: true };
    deepEqual(await under.ask("postRefresh", imported), { status: "pass" });
    const failed = { prior_state: before };
    deepEqual(await under.ask("postRefresh", failed), { status: "pass" });
    deepEqual(await under.ask("planStageComplete"), { status: "pass" });
    const [report, text] = await written(folder);
    deepEqual(report.drifted, []);
    equal(text, "# Drift: test, default\n\nNothing.\n");
  }));

Deno.test("processes of one run share a report, another run begins anew", () =>
  inFolder(async (folder) => {
    for (const [run, name] of [["1", "a"], ["2", "b"], ["2", "c"]]) {
      await using under = await startIntegration(drift, { folder });
      await under.ask("postRefresh", {
        ...changed,
        run: { id: run },
        resource: { name },
      });
      await under.ask("planStageComplete", { run: { id: run } });
    }
    const [report] = await written(folder);
    deepEqual(report.drifted.map(({ name }) => name), [
      "example_server.b",
      "example_server.c",
    ]);
  }));
