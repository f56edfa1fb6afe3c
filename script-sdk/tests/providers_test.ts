// What each kind of provider makes of the contract's members, and of what
// methods return.
import { deepEqual, equal, rejects } from "node:assert/strict";
import {
  ActionProvider,
  DatasourceProvider,
  type Diagnostic,
  DiagnosticsError,
  EphemeralResourceProvider,
  FunctionProvider,
  ResourceProvider,
} from "../mod.ts";
import { call, OperationFailed } from "../testing.ts";

const warning: Diagnostic = { severity: "warning", summary: "w", detail: "d" };
const error: Diagnostic = { severity: "error", summary: "e", detail: "d" };

/** A resource that answers what it is told to and remembers what it was given. */
function scripted(answers: Record<string, unknown>) {
  const given: unknown[][] = [];
  const method = (name: string) => (...args: unknown[]) => {
    given.push(args.slice(0, -1));
    // deno-lint-ignore no-explicit-any
    return answers[name] as any;
  };
  const provider = new ResourceProvider<unknown, unknown>({
    create: method("create"),
    read: method("read"),
    update: method("update"),
    delete: method("delete"),
    ...("modifyPlan" in answers && { modifyPlan: method("modifyPlan") }),
  });
  return { provider, given };
}

Deno.test("create: write-only props in, secrets of the state out", async () => {
  const { provider, given } = scripted({
    create: { id: "1", state: { a: 1, sensitive: { pin: 2 } } },
  });
  const params = { props: { name: "n" }, writeOnlyProps: { token: "t" } };
  deepEqual(await call(provider, "create", params), {
    id: "1",
    state: { a: 1 },
    sensitiveState: { pin: 2 },
  });
  deepEqual(given, [[{ name: "n", writeOnly: { token: "t" } }]]);
});

Deno.test("create: props that are no object stay what they are", async () => {
  const { provider, given } = scripted({ create: { id: "1" } });
  deepEqual(await call(provider, "create", { props: ["a"] }), { id: "1" });
  deepEqual(given, [[["a"]]]);
});

Deno.test("read: what is known goes in, what is found comes out", async () => {
  const { provider, given } = scripted({
    read: { props: { a: 1 }, state: { sensitive: "s" } },
  });
  deepEqual(await call(provider, "read", { id: "1", props: null }), {
    props: { a: 1 },
    state: {},
    sensitiveState: "s",
  });
  deepEqual(given, [["1", null]]);
  const gone = scripted({ read: { exists: false } });
  const params = { id: "1", props: {} };
  deepEqual(await call(gone.provider, "read", params), { exists: false });
});

Deno.test("read: the state as last known is in the context", async () => {
  let known: unknown;
  const provider = new ResourceProvider<unknown, unknown>({
    create: () => ({ id: "1", state: {} }),
    read: (_id, props, { state }) => ({ props, state: known = state }),
    update: () => ({}),
    delete: () => {},
  });
  const params = { id: "1", props: {}, state: { a: 1 }, sensitiveState: 2 };
  await call(provider, "read", params);
  deepEqual(known, { a: 1, sensitive: 2 });
});

Deno.test("update: the state is returned as it is, or beside diagnostics", async () => {
  const params = {
    id: "1",
    nextProps: { a: 2 },
    nextWriteOnlyProps: { t: 1 },
    currentProps: { a: 1 },
    currentState: { b: 1 },
    currentSensitiveState: null,
  };
  const plain = scripted({ update: { b: 2, sensitive: { c: 3 } } });
  const split = { state: { b: 2 }, sensitiveState: { c: 3 } };
  deepEqual(await call(plain.provider, "update", params), split);
  deepEqual(plain.given, [
    ["1", { a: 2, writeOnly: { t: 1 } }, { a: 1 }, { b: 1 }],
  ]);
  const beside = { ...split, diagnostics: [warning] };
  const members = { b: 2, sensitive: { c: 3 }, diagnostics: [warning] };
  deepEqual(
    await call(scripted({ update: members }).provider, "update", params),
    beside,
  );
  const named = {
    state: { b: 2, sensitive: { c: 3 } },
    diagnostics: [warning],
  };
  deepEqual(
    await call(scripted({ update: named }).provider, "update", params),
    beside,
  );
});

Deno.test("delete is done unless there is an error", async () => {
  const params = { id: "1", props: {}, state: null, sensitiveState: null };
  deepEqual(await call(scripted({}).provider, "delete", params), {
    done: true,
  });
  const warned = scripted({ delete: { diagnostics: [warning] } });
  deepEqual(await call(warned.provider, "delete", params), {
    done: true,
    diagnostics: [warning],
  });
  const failed = scripted({ delete: { diagnostics: [error] } });
  await rejects(call(failed.provider, "delete", params), OperationFailed);
});

Deno.test("modifyPlan: answers, and none", async () => {
  const params = { id: null, planType: "create", nextProps: { a: 1 } };
  const plan = async (answer: unknown) =>
    await call(scripted({ modifyPlan: answer }).provider, "modifyPlan", params);
  deepEqual(await plan(undefined), { noChanges: true });
  deepEqual(await plan({ requiresReplacement: true }), {
    requiresReplacement: true,
  });
  deepEqual(
    await plan({
      plannedState: { a: 1, sensitive: 2 },
      diagnostics: [warning],
    }),
    { plannedState: { a: 1 }, diagnostics: [warning] },
  );
  await rejects(
    call(scripted({}).provider, "modifyPlan", params),
    { code: -32601 },
  );
});

Deno.test("modifyPlan: nulls for what there is not, unknown paths in the context", async () => {
  let unknown: unknown;
  const given: unknown[] = [];
  const provider = new ResourceProvider<{ a: unknown }>({
    create: () => ({ id: "1" }),
    read: () => ({ exists: false }),
    update: () => {},
    delete: () => {},
    modifyPlan(id, planType, next, current, state, { unknownPaths }) {
      given.push(id, planType, next, current, state);
      unknown = unknownPaths;
    },
  });
  await call(provider, "modifyPlan", {
    planType: "create",
    nextProps: { a: [null] },
    unknownPaths: [["nextProps", "a", 0]],
  });
  deepEqual(given, [null, "create", { a: [null] }, null, null]);
  deepEqual(unknown, [["a", 0]]);
});

Deno.test("a data source's result is anything; its secrets are apart", async () => {
  const read = async (result: unknown) =>
    await call(new DatasourceProvider({ read: () => result }), "read", {});
  deepEqual(await read([1]), { result: [1] });
  deepEqual(await read({ a: 1, sensitive: { b: 2 } }), {
    result: { a: 1 },
    sensitiveResult: { b: 2 },
  });
  deepEqual(await read({ a: 1, diagnostics: [warning] }), {
    result: { a: 1 },
    diagnostics: [warning],
  });
  // A member of this name that has no diagnostics in it is data.
  deepEqual(await read({ diagnostics: ["x"] }), {
    result: { diagnostics: ["x"] },
  });
});

Deno.test("an ephemeral resource has a date or seconds, and may lack methods", async () => {
  const provider = new EphemeralResourceProvider<unknown, unknown, number>({
    open: () => ({
      result: { user: "u", sensitive: { password: "p" } },
      renewAt: new Date(1_700_000_000_900),
      privateData: 1,
    }),
    renew: (count) => ({ renewAt: 5, privateData: count + 1 }),
  });
  deepEqual(await call(provider, "open", { props: {} }), {
    result: { user: "u" },
    sensitiveResult: { password: "p" },
    renewAt: 1_700_000_000,
    privateData: 1,
  });
  deepEqual(await call(provider, "renew", { privateData: 1 }), {
    renewAt: 5,
    privateData: 2,
  });
  await rejects(call(provider, "close", {}), { code: -32601 });
  const closing = new EphemeralResourceProvider({
    open: () => ({ result: 1 }),
    close: () => {},
  });
  deepEqual(await call(closing, "close", {}), { done: true });
});

Deno.test("an action is done when it returns", async () => {
  const told: string[] = [];
  const provider = new ActionProvider<{ n: number }>({
    async invoke({ n }, progress) {
      for (let step = 1; step <= n; step++) await progress(`step ${step}`);
    },
  });
  const progress = (message: string) => void told.push(message);
  const params = { props: { n: 2 } };
  deepEqual(await call(provider, "invoke", params, { progress }), {
    done: true,
  });
  deepEqual(told, ["step 1", "step 2"]);
});

Deno.test("diagnostics can be thrown, and warnings given on the way", async () => {
  const provider = new DatasourceProvider<{ fail?: boolean }, unknown>({
    read({ fail }, context) {
      context.warn("old", "use another", ["props", "name"]);
      if (fail) {
        throw DiagnosticsError.at(["props", "port"], "bad", "no number");
      }
      return 1;
    },
  });
  const old = {
    severity: "warning",
    summary: "old",
    detail: "use another",
    propPath: ["props", "name"],
  };
  deepEqual(await call(provider, "read", { props: {} }), {
    result: 1,
    diagnostics: [old],
  });
  const failure = await call(provider, "read", { props: { fail: true } })
    .catch((error) => error);
  const bad = {
    summary: "bad",
    detail: "no number",
    propPath: ["props", "port"],
  };
  deepEqual(failure.diagnostics, [old, { severity: "error", ...bad }]);
  equal(
    failure.message,
    '"read" failed:\n  warning: old (props.name): use another\n  error: bad (props.port): no number',
  );
});

Deno.test("the provider's configuration is in every context", async () => {
  const seen: unknown[] = [];
  const configure = (config: unknown) => {
    seen.push(config);
    if (config === "bad") throw new Error("no such region");
  };
  const provider = new DatasourceProvider({
    read: (_props, { config }) => config,
  }, { configure });
  deepEqual(await call(provider, "read", {}), { result: null });
  const told = { config: { region: "r" }, sensitiveConfig: { token: "t" } };
  deepEqual(await call(provider, "configure", told), {});
  deepEqual(await call(provider, "read", {}), {
    result: { region: "r" },
    sensitiveResult: { token: "t" },
  });
  await rejects(
    call(provider, "configure", { config: "bad" }),
    /no such region/,
  );
  deepEqual(seen, [{ region: "r", sensitive: { token: "t" } }, "bad"]);
});

Deno.test("functions get their arguments, and may be refused by name or place", async () => {
  const provider = new FunctionProvider({
    add: (left: number, right: number) => left + right,
    nothing: () => {},
    port(port: number) {
      if (port > 0) return port;
      throw DiagnosticsError.at(["arguments", 0], "Not a port", `${port}`);
    },
  });
  const apply = async (name: string, ...args: unknown[]) =>
    await call(provider, "call", { function: name, arguments: args });
  deepEqual(await apply("add", 1, 2), { result: 3 });
  deepEqual(await apply("nothing"), { result: null });
  await rejects(apply("port", -1), /Not a port \(arguments\.0\): -1/);
  await rejects(apply("sub"), {
    code: -32602,
    message: "There is no function sub. There are: add, nothing, port",
  });
  await rejects(apply("toString"), { code: -32602 });
});

Deno.test("a list is all objects, or a page of them", async () => {
  const list = async (answer: unknown) =>
    await call(
      new ResourceProvider<unknown, unknown>({
        create: () => ({ id: "1", state: null }),
        read: () => ({ exists: false }),
        update: () => null,
        delete: () => {},
        list: (props, query) =>
          (answer ?? [{ id: JSON.stringify([props, query]) }]) as never,
      }),
      "list",
      { props: { zone: "z" }, includeObject: true, limit: 2, cursor: "c" },
    );
  deepEqual(await list(undefined), {
    objects: [{
      id: '[{"zone":"z"},{"includeObject":true,"limit":2,"cursor":"c"}]',
    }],
  });
  const object = { id: "a", displayName: "A", props: { x: 1 } };
  deepEqual(
    await list({
      objects: [{ ...object, state: { y: 2, sensitive: 3 } }],
      cursor: "d",
    }),
    {
      objects: [{ ...object, state: { y: 2 }, sensitiveState: 3 }],
      cursor: "d",
    },
  );
  deepEqual(await list({ objects: [], diagnostics: [warning] }), {
    objects: [],
    diagnostics: [warning],
  });
  const none = scripted({}).provider;
  await rejects(call(none, "list", {}), { code: -32601 });
});
