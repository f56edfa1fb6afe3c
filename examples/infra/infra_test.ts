import { deepEqual, equal, match, rejects } from "node:assert/strict";
import {
  callFunction,
  configure,
  invoke,
  open,
  read,
  resource,
} from "@denobridge/script-sdk/testing";
import bucket from "./bucket.ts";
import database from "./database.ts";
import getZone from "./get_zone.ts";
import lock from "./lock.ts";
import names from "./names.ts";
import notify from "./notify.ts";

const assets = { name: "our-assets", access: "private" as const };

/** An empty disk, and all scripts told of it. */
async function disk() {
  const root = await Deno.makeTempDir();
  for (const script of [bucket, database, getZone, lock, notify]) {
    await configure(script, { root });
  }
  return {
    text: (file: string) => Deno.readTextFile(`${root}/${file}`),
    json: async (file: string) =>
      JSON.parse(await Deno.readTextFile(`${root}/${file}`)),
    async write(file: string, content: unknown) {
      const path = `${root}/${file}`;
      const folder = path.slice(0, path.lastIndexOf("/"));
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(path, JSON.stringify(content));
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("a bucket is made, changed and removed", async () => {
  await using here = await disk();
  {
    await using object = resource(bucket);
    await object.apply({ ...assets, website: { index: "index.html" } });
    equal(object.id, "our-assets");
    deepEqual(object.state, { url: "disk://our-assets" });
    const larger = { ...assets, maxSize: 2048 };
    equal((await object.apply(larger)).action, "update");
    deepEqual(await here.json("buckets/our-assets.json"), larger);
  }
  await rejects(here.text("buckets/our-assets.json"), Deno.errors.NotFound);
});

Deno.test("there is one bucket of a name", async () => {
  await using _here = await disk();
  await using object = resource(bucket);
  await object.apply(assets);
  await rejects(resource(bucket).apply(assets), /a bucket our-assets already/);
  const other = resource(bucket);
  await other.import("our-assets");
  deepEqual(other.props, assets);
});

Deno.test("a database keeps its key, and no password", async () => {
  await using here = await disk();
  await using object = resource(database);
  const writeOnly = { password: "correct horse" };
  await object.apply({ name: "people", owner: "admin", writeOnly });
  const before = await here.json("databases/people.json");
  match(before.key, /^key-of-people-/);
  await object.apply({ name: "people", owner: "somebody", writeOnly });
  deepEqual(await here.json("databases/people.json"), {
    ...before,
    owner: "somebody",
  });
  equal((await here.text("databases/people.json")).includes("horse"), false);
});

Deno.test("a zone is read, or is not there", async () => {
  await using here = await disk();
  const www = { name: "www", type: "A" as const, value: "192.0.2.1" };
  await here.write("zones/example.org.json", { serial: 1, records: [www] });
  const zone = await read(getZone, { name: "example.org" });
  deepEqual(zone, { serial: 1, records: [www] });
  await rejects(read(getZone, { name: "example.com" }), /no zone example.com/);
});

Deno.test("a lock is held as long as it is used", async () => {
  await using here = await disk();
  {
    await using held = await open(lock, { name: "deployment" });
    equal(held.result.sensitive.token, "token-of-deployment");
    deepEqual(await here.json("locks/deployment.json"), {});
  }
  const journal = await here.text("journal");
  equal(journal, "locked deployment\nunlocked deployment\n");
});

Deno.test("a message is left", async () => {
  await using here = await disk();
  await invoke(notify, { message: "done", urgency: "low" });
  equal(await here.text("journal"), "low: done\n");
});

Deno.test("names", async () => {
  equal(await callFunction(names, "label", "Our Assets!"), "our-assets");
  deepEqual(await callFunction(names, "labels", "www.example.org"), [
    "www",
    "example",
    "org",
  ]);
  await rejects(callFunction(names, "labels", ""), /Not a name/);
});
