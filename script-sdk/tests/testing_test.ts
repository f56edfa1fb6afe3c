// The helpers for tests, by what they let pass and what they refuse.
import { deepEqual, equal, rejects } from "node:assert/strict";
// The script comes first on purpose: it must not begin to serve all the same.
import note from "./scripts/note.ts";
import serving from "./scripts/serving.ts";
import {
  ActionProvider,
  DatasourceProvider,
  EphemeralResourceProvider,
  FunctionProvider,
  ResourceProvider,
} from "../mod.ts";
import {
  callFunction,
  configure,
  invoke,
  open,
  read,
  resource,
} from "../testing.ts";

async function temporary(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const remove = () => Deno.remove(folder, { recursive: true });
  return { path: `${folder}/note.txt`, [Symbol.asyncDispose]: remove };
}

Deno.test("the life of an object", async () => {
  await using folder = await temporary();
  const { path } = folder;
  await using object = resource(note);
  equal((await object.apply({ path, text: "one" })).action, "create");
  equal(object.id, path);
  deepEqual(object.state, { length: 3, sensitive: { signed: false } });
  deepEqual(object.progress, ["writing"]);
  equal((await object.apply({ path, text: "one" })).action, "none");
  equal((await object.apply({ path, text: "three" })).action, "update");
  const moved = path + "2";
  equal((await object.plan({ path: moved, text: "three" })).action, "replace");
  await object.apply({ path: moved, text: "three" });
  await rejects(Deno.stat(path), Deno.errors.NotFound);
  equal(await object.refresh(), true);
  await Deno.remove(moved);
  equal(await object.refresh(), false);
  equal(object.exists, false);
});

Deno.test("write-only props are given and not kept", async () => {
  await using folder = await temporary();
  const { path } = folder;
  await using object = resource(note);
  await object.apply({ path, text: "one", writeOnly: { signature: "me" } });
  deepEqual(object.props, { path, text: "one" });
  equal(await Deno.readTextFile(path), "one--me");
});

Deno.test("import finds what is there", async () => {
  await using folder = await temporary();
  await Deno.writeTextFile(folder.path, "one");
  await using object = resource(note);
  await object.import(folder.path);
  deepEqual(object.props, { path: folder.path, text: "one" });
  await rejects(resource(note).import("nowhere"), /no object nowhere/);
});

Deno.test("what users would see in every plan fails", async () => {
  await using folder = await temporary();
  const { path } = folder;
  await using object = resource(note);
  await rejects(
    object.apply({ path, text: "ONE" }),
    /"read" finds other props than there should be/,
  );
});

Deno.test("a state that differs from the planned one fails", async () => {
  await using folder = await temporary();
  await using object = resource(note);
  await rejects(
    object.apply({ path: folder.path, text: "liar" }),
    /state differs from the planned one: \{"length":4\} instead of \{"length":99\}/,
  );
});

Deno.test("an object that was made in part is removed at the end", async () => {
  await using folder = await temporary();
  {
    await using object = resource(note);
    const made = object.apply({ path: folder.path, text: "half" });
    await rejects(made, /"create" failed:\n {2}error: half/);
    equal(object.exists, true);
  }
  await rejects(Deno.stat(folder.path), Deno.errors.NotFound);
});

Deno.test("warnings and unknown values", async () => {
  await using folder = await temporary();
  await using object = resource(note);
  await object.apply({ path: folder.path, text: "" });
  deepEqual(object.warnings.map(({ summary }) => summary), ["empty"]);
  const next = { path: folder.path, text: "x" };
  equal((await object.plan(next, [["path"]])).action, "update");
  equal((await object.plan(null)).action, "delete");
});

Deno.test("an id must be text", async () => {
  const numbered = new ResourceProvider<{ a: number }, void, number>({
    create: () => ({ id: 5 }),
    read: () => ({ exists: false }),
    update: () => {},
    delete: () => {},
  });
  await rejects(
    resource(numbered).apply({ a: 1 }),
    /an id that is text, not 5/,
  );
});

Deno.test("a provider is configured as by the host", async () => {
  const told: unknown[] = [];
  const configured = new DatasourceProvider<unknown, { config: unknown }>({
    read: (_props, { config }) => ({ config }),
  }, { configure: (config) => void told.push(config) });
  deepEqual(await read(configured, {}), { config: null });
  const config = { region: "eu", sensitive: { token: "t" } };
  await configure(configured, config);
  deepEqual([await read(configured, {}), told], [{ config }, [config]]);
});

Deno.test("data sources, ephemeral resources and actions", async () => {
  deepEqual(await read(serving, { what: "echo", value: 1 }), { value: 1 });
  await rejects(read(serving, { what: "throw" }), /no such host/);
  let closed = 0;
  const lease = new EphemeralResourceProvider<unknown, string, number>({
    open: () => ({ result: "r", renewAt: 1, privateData: 1 }),
    renew: (count) => ({ renewAt: 2, privateData: count + 1 }),
    close: (count) => void (closed = count),
  });
  {
    await using opened = await open(lease, {});
    equal(opened.result, "r");
    await opened.renew();
    equal(opened.renewAt, 2);
  }
  equal(closed, 2);
  const action = new ActionProvider<{ n: number }>({
    invoke: async ({ n }, progress) => await progress(`${n}`),
  });
  deepEqual(await invoke(action, { n: 1 }), { progress: ["1"], warnings: [] });
  const functions = new FunctionProvider({
    double: (n: number) => 2 * n,
  });
  equal(await callFunction(functions, "double", 2), 4);
});
