// Providers with schemas: what they let through, and what they say.
import { deepEqual, equal } from "node:assert/strict";
import { z } from "@zod/zod";
import {
  type Schema,
  ZodActionProvider,
  ZodDatasourceProvider,
  ZodEphemeralResourceProvider,
  ZodResourceProvider,
} from "../mod.ts";
import { call, OperationFailed } from "../testing.ts";
import type { Provider } from "../mod.ts";

/** The diagnostics of a call that fails, short. */
async function failure(
  provider: Provider,
  method: string,
  params: Record<string, unknown>,
): Promise<string[]> {
  const error = await call(provider, method, params).catch((error) => error);
  if (!(error instanceof OperationFailed)) throw error;
  return error.diagnostics.map(({ summary, propPath, detail }) => {
    equal(summary, "Zod Validation Issue");
    return `${propPath?.join(".") ?? "-"}: ${detail}`;
  });
}

const props = z.strictObject({ name: z.string(), size: z.number().default(3) });
const state = z.object({ made: z.boolean() });

/** A resource that answers what it is told to and remembers what it was given. */
function thing(answers: { create?: unknown; read?: unknown } = {}) {
  const given: unknown[] = [];
  const provider = new ZodResourceProvider(props, state, {
    create(next) {
      given.push(next);
      return (answers.create ?? { id: "1", state: { made: true } }) as never;
    },
    read(_id, known) {
      given.push(known);
      return (answers.read ?? { exists: false }) as never;
    },
    update: () => ({ made: true }),
    delete: () => {},
    modifyPlan: (_id, _type, next) => void given.push(next),
  });
  return { provider, given };
}

Deno.test("defaults of the schema reach the methods", async () => {
  const { provider, given } = thing();
  await call(provider, "create", { props: { name: "n" } });
  deepEqual(given, [{ name: "n", size: 3 }]);
});

Deno.test("what is wrong is said with its place", async () => {
  const { provider } = thing();
  deepEqual(await failure(provider, "create", { props: { name: 1 } }), [
    "props.name: Invalid input: expected string, received number",
  ]);
  deepEqual(
    await failure(provider, "update", {
      id: "1",
      nextProps: { name: 1 },
      currentProps: { name: "n", size: "x" },
      currentState: { made: 0 },
    }),
    [
      "props.name: Invalid input: expected string, received number",
      "props.size: Invalid input: expected number, received string",
      "state.made: Invalid input: expected boolean, received number",
    ],
  );
});

Deno.test("write-only props and secrets pass by a schema that does not name them", async () => {
  const { provider, given } = thing({
    create: { id: "1", state: { made: true, sensitive: { pin: 1 } } },
  });
  const params = { props: { name: "n" }, writeOnlyProps: { token: "t" } };
  deepEqual(await call(provider, "create", params), {
    id: "1",
    state: { made: true },
    sensitiveState: { pin: 1 },
  });
  deepEqual(given, [{ name: "n", size: 3, writeOnly: { token: "t" } }]);
  // An unknown member is still an error.
  deepEqual(
    await failure(provider, "create", {
      props: { name: "n", nme: 1 },
      writeOnlyProps: {},
    }),
    ['-: Unrecognized key: "nme"'],
  );
});

Deno.test("a schema that names them checks them", async () => {
  const provider = new ZodResourceProvider(
    z.object({ writeOnly: z.object({ token: z.string() }).optional() }),
    z.object({ sensitive: z.object({ pin: z.number() }).optional() }),
    {
      create: () => ({ id: "1", state: { sensitive: { pin: 1 } } }),
      read: () => ({ exists: false }),
      update: (_, _next, _current, known) => known,
      delete: () => {},
    },
  );
  const wrong = { props: {}, writeOnlyProps: { token: 5 } };
  deepEqual(await failure(provider, "create", wrong), [
    "props.writeOnly.token: Invalid input: expected string, received number",
  ]);
  const params = { id: "1", nextProps: {}, currentProps: {}, currentState: {} };
  deepEqual(
    await call(provider, "update", { ...params, currentSensitiveState: null }),
    { state: {} },
  );
});

Deno.test("an object that was made is reported whatever its state", async () => {
  const { provider } = thing({ create: { id: "1", state: { made: "yes" } } });
  const error = await call(provider, "create", { props: { name: "n" } })
    .catch((error) => error);
  equal(error.diagnostics[0].propPath.join("."), "state.made");
  equal(error.answer.id, "1");
  deepEqual(error.answer.state, { made: "yes" });
});

Deno.test("an import has no props and no state to check", async () => {
  const { provider, given } = thing({
    read: { props: { name: "n", size: 1 }, state: { made: true } },
  });
  const params = { id: "1", props: null, state: null, sensitiveState: null };
  deepEqual(await call(provider, "read", params), {
    props: { name: "n", size: 1 },
    state: { made: true },
  });
  deepEqual(given, [null]);
});

Deno.test("what is not known yet is not judged", async () => {
  const { provider, given } = thing();
  const params = { planType: "create", nextProps: { name: null, size: "x" } };
  const unknown = { ...params, unknownPaths: [["nextProps", "name"]] };
  deepEqual(await failure(provider, "modifyPlan", unknown), [
    "props.size: Invalid input: expected number, received string",
  ]);
  await call(provider, "modifyPlan", {
    ...params,
    unknownPaths: [["nextProps", "name"], ["nextProps", "size"]],
  });
  deepEqual(given, [{ name: null, size: "x" }]);
  const all = {
    planType: "create",
    nextProps: {},
    unknownPaths: [["nextProps"]],
  };
  deepEqual(await call(provider, "modifyPlan", all), { noChanges: true });
});

Deno.test("a resource without a state schema keeps the state that it answers", async () => {
  const provider = new ZodResourceProvider(props, {
    // deno-lint-ignore no-explicit-any
    create: () => ({ id: "1", state: { a: 1 } }) as any,
    read: () => ({ exists: false }),
    update: () => {},
    delete: () => {},
  });
  deepEqual(await call(provider, "create", { props: { name: "n" } }), {
    id: "1",
    state: { a: 1 },
  });
  const change = {
    id: "1",
    nextProps: { name: "m" },
    currentProps: { name: "n" },
  };
  deepEqual(await call(provider, "update", change), {});
});

Deno.test("what a state schema does not name is kept or dropped alike wherever a state is answered", async () => {
  const answered = { made: true, extra: 1 };
  for (
    const [schema, expected] of [
      [z.object({ made: z.boolean() }), { made: true }],
      [z.looseObject({ made: z.boolean() }), answered],
    ] as const
  ) {
    const provider = new ZodResourceProvider(props, schema, {
      create: () => ({ id: "1", state: answered }),
      read: (_id, known) => ({ props: known!, state: answered }),
      update: () => answered,
      delete: () => {},
    });
    const known = { name: "n", size: 1 };
    const params = { id: "1", props: known, state: answered };
    const change = { id: "1", nextProps: known, currentProps: known };
    const states = [
      await call(provider, "create", { props: known }),
      await call(provider, "read", params),
      await call(provider, "update", { ...change, currentState: answered }),
    ].map((answer) => (answer as { state: unknown }).state);
    deepEqual(states, [expected, expected, expected]);
  }
});

Deno.test("data source, ephemeral resource, action", async () => {
  const data = new ZodDatasourceProvider(
    z.object({ n: z.number() }),
    z.object({ twice: z.number(), sensitive: z.string().optional() }),
    { read: ({ n }) => ({ twice: n > 9 ? NaN : 2 * n, extra: 1 }) },
  );
  deepEqual(await call(data, "read", { props: { n: 2 } }), {
    result: { twice: 4 },
  });
  deepEqual(await failure(data, "read", { props: { n: 10 } }), [
    "result.twice: Invalid input: expected number, received NaN",
  ]);
  const lease = new ZodEphemeralResourceProvider(
    z.object({}),
    z.object({ token: z.string() }),
    z.object({ handle: z.number() }),
    {
      open: () => ({ result: { token: "t" }, privateData: { handle: 1 } }),
      renew: ({ handle }) => ({ privateData: { handle: handle + 1 } }),
      close: () => {},
    },
  );
  deepEqual(await call(lease, "open", { props: {} }), {
    result: { token: "t" },
    privateData: { handle: 1 },
  });
  deepEqual(await call(lease, "renew", { privateData: { handle: 1 } }), {
    privateData: { handle: 2 },
  });
  deepEqual(await failure(lease, "close", { privateData: { handle: "x" } }), [
    "-: Invalid input: expected number, received string",
  ]);
  const action = new ZodActionProvider(
    z.object({ items: z.array(z.string()) }),
    {
      async invoke({ items }, progress) {
        for (const item of items) await progress(item);
      },
    },
  );
  deepEqual(await failure(action, "invoke", { props: { items: [1] } }), [
    "props.items.0: Invalid input: expected string, received number",
  ]);
});

Deno.test("any schema that follows Standard Schema does", async () => {
  const even: Schema = {
    "~standard": {
      validate: async (value: unknown) =>
        await Promise.resolve(
          Number(value) % 2 === 0
            ? { value: Number(value) }
            : { issues: [{ message: "odd", path: [{ key: "n" }] }] },
        ),
    },
  };
  const provider = new ZodDatasourceProvider(even, even, { read: (n) => n });
  deepEqual(await call(provider, "read", { props: "4" }), { result: 4 });
  deepEqual(await failure(provider, "read", { props: 3 }), ["props.n: odd"]);
});
