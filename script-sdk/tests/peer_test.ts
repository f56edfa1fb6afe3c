// Scripts for the Go provider's library, by its name through an import map.
import { deepEqual, match } from "node:assert/strict";
import { Child, type Message } from "./child.ts";

function peer(name: string, ...more: string[]): Child {
  return new Child(`./peer/${name}.ts`, ...more);
}

async function results(
  child: Child,
  calls: [method: string, params: unknown][],
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [method, params] of calls) {
    const { result, error } = await child.call(method, params);
    found.push(error ?? result);
  }
  return found;
}

Deno.test("they get one call at a time", async () => {
  await using child = peer("stateless");
  deepEqual((await child.call("health")).result, {
    ok: true,
    concurrent: false,
    configure: true,
    cancel: true,
  });
});

Deno.test("those with schemas of Zod say what they are", async () => {
  const kinds = [];
  for (const name of ["resource", "stateless", "datasource", "action"]) {
    await using child = peer(`zod_${name}`);
    const answer = await child.call("schema");
    kinds.push((answer.result as { kind: string }).kind);
  }
  deepEqual(kinds, ["resource", "resource", "datasource", "action"]);
  await using child = peer("resource");
  const { error } = await child.call("schema");
  deepEqual(error, { code: -32601, message: "Method not found: schema" });
});

Deno.test("a resource with state, secrets and write-only props", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/note.txt`;
  await using child = peer("resource", `--allow-all`);
  const currentProps = { path, text: "one" };
  const currentState = { length: 3 };
  const currentSensitiveState = { key: "k" };
  const found = await results(child, [
    ["modifyPlan", { planType: "create", nextProps: currentProps }],
    ["create", { props: currentProps, writeOnlyProps: { key: "k" } }],
    ["read", { id: path, props: null }],
    ["modifyPlan", {
      id: path,
      planType: "update",
      nextProps: { path: "x" },
      currentProps,
    }],
    ["update", {
      id: path,
      nextProps: { path, text: "three" },
      currentProps,
      currentState,
      currentSensitiveState,
    }],
    ["update", {
      id: path,
      nextProps: { path: "x" },
      currentProps,
      currentState,
      currentSensitiveState,
    }],
    ["modifyPlan", {
      id: path,
      planType: "delete",
      nextProps: null,
      currentProps,
    }],
    ["delete", {
      id: path,
      props: currentProps,
      state: currentState,
      sensitiveState: null,
    }],
    ["read", { id: path, props: currentProps }],
  ]);
  deepEqual(found, [
    { noChanges: true },
    { id: path, state: { length: 3 }, sensitiveState: { key: "k" } },
    {
      props: { path, text: "one" },
      state: { length: 3 },
      sensitiveState: { key: "kept" },
    },
    { requiresReplacement: true },
    { state: { length: 5 }, sensitiveState: { key: "k" } },
    { code: -32603, message: "moved" },
    {
      diagnostics: [{
        severity: "warning",
        summary: "going",
        detail: "for good",
      }],
    },
    { done: true },
    { exists: false },
  ]);
  const { errors } = await child.end();
  match(errors, /imported\n/);
  await Deno.remove(folder, { recursive: true });
});

const lives: Record<string, [flags: string[], [string, unknown, unknown][]]> = {
  stateless: [[], [
    ["create", { props: { name: "n" } }, { id: "n" }],
    ["read", { id: "n", props: { name: "n" } }, { props: { name: "n" } }],
    [
      "update",
      { id: "n", nextProps: {}, currentProps: {}, currentState: null },
      {},
    ],
    ["delete", { id: "n", props: {}, state: null }, { done: true }],
    ["modifyPlan", { planType: "create", nextProps: {} }, {
      code: -32601,
      message: "Method not found: modifyPlan",
    }],
  ]],
  zod_resource: [[], [
    ["create", { props: { name: "no" } }, {
      id: "no",
      state: { upper: "NO" },
      sensitiveState: { pin: 1 },
    }],
    ["create", { props: { name: "n" } }, {
      diagnostics: [{
        severity: "error",
        summary: "Zod Validation Issue",
        detail: "Too small: expected string to have >=2 characters",
        propPath: ["props", "name"],
      }],
    }],
    ["update", {
      id: "no",
      nextProps: { name: "yes" },
      currentProps: { name: "no" },
      currentState: { upper: "NO" },
      currentSensitiveState: { pin: 2 },
    }, { state: { upper: "YES" }, sensitiveState: { pin: 2 } }],
  ]],
  zod_stateless: [[], [
    ["create", { props: { name: "n" } }, { id: "n" }],
    ["read", { id: "n", props: { name: "m" } }, { props: { name: "n" } }],
    ["update", {
      id: "n",
      nextProps: { name: "m" },
      currentProps: { name: "n" },
      currentState: null,
    }, {}],
  ]],
  datasource: [[], [
    ["read", { props: { value: "" } }, {
      result: {
        hash:
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      },
      sensitiveResult: { seed: "" },
    }],
  ]],
  zod_datasource: [[], [["read", { props: { value: "ab" } }, {
    result: { length: 2 },
  }]]],
  ephemeral: [[], [
    ["open", { props: { type: "v4" } }, { result: { uuid: "u" } }],
    ["open", { props: { type: "v1" } }, {
      diagnostics: [{
        severity: "error",
        summary: "Unknown type",
        detail: "v1",
        propPath: ["props", "type"],
      }],
    }],
    ["close", {}, { code: -32601, message: "Method not found: close" }],
  ]],
};

for (const [name, [flags, calls]] of Object.entries(lives)) {
  Deno.test(name, async () => {
    await using child = peer(name, ...flags);
    const found = await results(
      child,
      calls.map(([method, params]) => [method, params]),
    );
    deepEqual(found, calls.map(([, , expected]) => expected));
  });
}

for (
  const [name, props] of [["action", { destination: "a" }], ["zod_action", {
    items: ["a", "b"],
  }]] as const
) {
  Deno.test(name, async () => {
    await using child = peer(name);
    await child.send("invoke", { props });
    const messages: Message[] = [
      await child.next(),
      await child.next(),
      await child.next(),
    ];
    deepEqual(messages.map(({ method }) => method), [
      "invokeProgress",
      "invokeProgress",
      undefined,
    ]);
    deepEqual(messages[2].result, { done: true });
  });
}
