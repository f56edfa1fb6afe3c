// What providers say of themselves.
import { deepEqual, equal, match } from "node:assert/strict";
import { z } from "@zod/zod";
import * as mini from "@zod/zod/mini";
import { type } from "arktype";
import * as v from "valibot";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import {
  ActionProvider,
  DatasourceProvider,
  EphemeralResourceProvider,
  FunctionProvider,
  type JsonSchema,
  type Provider,
  ResourceProvider,
  RpcError,
  type Schema,
  ZodActionProvider,
  ZodDatasourceProvider,
  ZodEphemeralResourceProvider,
  ZodResourceProvider,
} from "../mod.ts";
import { call } from "../testing.ts";

// deno-lint-ignore no-explicit-any
async function said(provider: Provider): Promise<any> {
  return await call(provider, "schema", {});
}

async function refusal(provider: Provider): Promise<string> {
  const error = await said(provider).catch((error) => error);
  equal(error instanceof RpcError && error.code, -32601);
  return error.message;
}

const nothing = {
  create: () => ({ id: "1", state: {} as never }),
  read: () => ({ exists: false } as const),
  update: () => ({}) as never,
  delete: () => {},
};

Deno.test("a resource with schemas of Zod says all of it by itself", async () => {
  const props = z.object({
    path: z.string().meta({ description: "Where", "x-replaces": true }),
    size: z.number().default(3),
    token: z.string().optional().meta({ "x-sensitive": true }),
    old: z.string().optional().meta({ deprecated: true }),
    writeOnly: z.object({ key: z.string() }).optional(),
  }).meta({ title: "Notes", description: "A note." });
  const state = z.object({
    made: z.number(),
    sensitive: z.object({ pin: z.number() }),
  });
  deepEqual(
    await said(
      new ZodResourceProvider(props, state, nothing, {
        name: "Note",
        deprecated: "Use paper.",
        stateVersion: 2,
      }),
    ),
    {
      kind: "resource",
      name: "Note",
      description: "A note.",
      deprecated: "Use paper.",
      props: {
        title: "Notes",
        description: "A note.",
        type: "object",
        properties: {
          path: { type: "string", description: "Where", "x-replaces": true },
          size: { type: "number", default: 3 },
          token: { type: "string", "x-sensitive": true },
          old: { type: "string", deprecated: true },
        },
        required: ["path"],
      },
      writeOnlyProps: {
        type: "object",
        properties: { key: { type: "string" } },
      },
      state: {
        type: "object",
        properties: { made: { type: "number" } },
        required: ["made"],
        additionalProperties: false,
      },
      sensitiveState: {
        type: "object",
        properties: { pin: { type: "number" } },
        required: ["pin"],
        additionalProperties: false,
      },
      stateVersion: 2,
    },
  );
});

Deno.test("what JSON Schema cannot say is anything, where it is", async () => {
  const odd = z.object({
    when: z.date(),
    name: z.string().transform((text) => text.length),
    large: z.bigint().default(1n),
    plain: z.boolean(),
  });
  const { props, state } = await said(
    new ZodResourceProvider(odd, odd, nothing),
  );
  deepEqual(props.properties.when, {});
  deepEqual(props.properties.name, { type: "string" });
  deepEqual(state.properties.name, {});
  deepEqual(state.properties.plain, { type: "boolean" });
  match(JSON.stringify(state.properties.large), /^\{("default":1)?\}$/);
});

Deno.test("a reference leads to the same wherever it is taken to", async () => {
  const secret = z.object({ key: z.string() }).meta({ id: "Secret" });
  const props = z.object({ other: secret, writeOnly: secret.nullish() }).meta({
    id: "Root",
  });
  const { props: rest, writeOnlyProps } = await said(
    new ZodResourceProvider(props, nothing),
  );
  deepEqual(Object.keys(rest.properties), ["other"]);
  deepEqual(rest.required, ["other"]);
  equal(rest.$defs.Secret.properties.key.type, "string");
  equal(writeOnlyProps.properties.key.type, "string");
});

Deno.test("intersections and what may be null are looked into", async () => {
  const props: JsonSchema = {
    allOf: [
      { type: "object", properties: { a: { type: "string" } } },
      {
        type: "object",
        properties: {
          writeOnly: {
            type: ["object", "null"],
            properties: { key: { type: "string" } },
          },
        },
      },
    ],
  };
  const { props: rest, writeOnlyProps } = await said(
    new ResourceProvider(nothing, { schema: { props } }),
  );
  deepEqual(rest.allOf[1].properties, {});
  deepEqual(writeOnlyProps, {
    type: "object",
    properties: { key: { type: "string" } },
  });
});

Deno.test("data source, ephemeral resource, action", async () => {
  const props = z.object({ n: z.number() });
  const result = z.object({ sensitive: z.object({ pin: z.string() }) });
  const data = await said(
    new ZodDatasourceProvider(props, result, {
      read: () => ({ sensitive: { pin: "" } }),
    }, { description: "Numbers" }),
  );
  deepEqual([data.kind, data.description], ["datasource", "Numbers"]);
  deepEqual(data.state.properties, {});
  deepEqual(data.sensitiveState.properties, { pin: { type: "string" } });
  const lease = await said(
    new ZodEphemeralResourceProvider(props, result, z.object({}), {
      open: () => ({ result: { sensitive: { pin: "" } } }),
    }),
  );
  deepEqual([lease.kind, lease.props.required], ["ephemeral", ["n"]]);
  const action = await said(new ZodActionProvider(props, { invoke() {} }));
  deepEqual([action.kind, action.state], ["action", undefined]);
});

Deno.test("plain classes describe themselves by JSON Schemas, or not at all", async () => {
  const props = { type: "object", properties: { n: { type: "number" } } };
  const schema = { props: props as JsonSchema };
  const action = new ActionProvider({ invoke() {} }, { name: "Act", schema });
  deepEqual(await said(action), { kind: "action", name: "Act", props });
  const data = new DatasourceProvider({ read: () => 1 }, {
    schema: { ...schema, result: z.object({ r: z.string() }) },
  });
  equal((await said(data)).state.properties.r.type, "string");
  const lease = new EphemeralResourceProvider({
    open: () => ({ result: 1 }),
  }, { schema: { result: props as JsonSchema } });
  deepEqual(await said(lease), { kind: "ephemeral", state: props });
  await refusal(new ActionProvider({ invoke() {} }, { name: "Act" }));
  await refusal(new ResourceProvider(nothing));
  await refusal(new FunctionProvider({ f: () => 1 }));
});

Deno.test("only a resource that lists says so", async () => {
  const list = () => [];
  const props = { type: "object" } as const;
  const lists = { ...nothing, list };
  const of = async (provider: Provider) => (await said(provider)).list;
  equal(
    await of(new ResourceProvider(nothing, { schema: { props, list: props } })),
    undefined,
  );
  deepEqual(await of(new ResourceProvider(lists, { schema: { props } })), {
    type: "object",
  });
  const query = z.object({ prefix: z.string() });
  const zod = new ZodResourceProvider(z.object({}), lists, {
    schema: { list: query },
  });
  deepEqual((await of(zod)).required, ["prefix"]);
});

Deno.test("functions by name", async () => {
  const provider = new FunctionProvider({
    slug: (text: string) => text,
    sum: (first: number, ...more: number[]) => first + more.length,
  }, {
    description: "Text",
    schema: {
      slug: {
        description: "For addresses",
        parameters: [{
          name: "text",
          schema: z.string().describe("Any text"),
        }],
        returns: { type: "string" },
      },
      sum: {
        deprecated: "Use +",
        parameters: [{ name: "first", schema: { type: "number" } }],
        variadic: { name: "more", schema: { type: "number" } },
        returns: z.number(),
      },
    },
  });
  deepEqual(await said(provider), {
    kind: "function",
    description: "Text",
    functions: {
      slug: {
        description: "For addresses",
        parameters: [{
          name: "text",
          description: "Any text",
          schema: { type: "string", description: "Any text" },
        }],
        returns: { type: "string" },
      },
      sum: {
        deprecated: "Use +",
        parameters: [{ name: "first", schema: { type: "number" } }],
        variadic: { name: "more", schema: { type: "number" } },
        returns: { type: "number" },
      },
    },
  });
});

Deno.test("other libraries that write JSON Schema", async () => {
  const ark = type({ name: "string", "size?": "number", when: "Date" });
  const schemas: Record<string, Schema> = {
    ark,
    valibot: toStandardJsonSchema(
      v.object({
        name: v.string(),
        size: v.optional(v.number()),
        when: v.date(),
      }),
    ),
  };
  for (const [library, schema] of Object.entries(schemas)) {
    const { props } = await said(
      new ZodActionProvider(schema, { invoke() {} }),
    );
    equal(props.properties.name.type, "string", library);
    deepEqual(props.required.toSorted(), ["name", "when"], library);
    deepEqual(props.properties.when, {}, library);
  }
});

Deno.test("a library that writes none is said to be the reason", async () => {
  const schemas: Schema[] = [
    v.object({ name: v.string() }),
    mini.object({ name: mini.string() }),
  ];
  for (const schema of schemas) {
    const provider = new ZodActionProvider(schema, { invoke() {} });
    match(await refusal(provider), /Standard JSON Schema/);
  }
});

Deno.test("who only wants to know gets the provider, and nothing is served", async () => {
  const collecting = Symbol.for("denobridge.collecting");
  const handed: ((method: string, params: unknown) => Promise<unknown>)[] = [];
  const globals = globalThis as Record<symbol, unknown>;
  globals[collecting] = (call: typeof handed[0]) => handed.push(call);
  try {
    new ZodActionProvider(z.object({}), { invoke() {} });
  } finally {
    delete globals[collecting];
  }
  equal(handed.length, 1);
  equal(
    (await handed[0]("schema", {}) as { kind: string }).kind,
    "action",
  );
});

// Not run: a wrong option does not compile.
export function wrong(): void {
  const methods = { invoke() {} };
  // @ts-expect-error: no such option
  new ActionProvider(methods, { nme: "A" });
  // @ts-expect-error: no such keyword
  new ActionProvider(methods, { schema: { props: { propertis: {} } } });
  // @ts-expect-error: no such type
  new ActionProvider(methods, { schema: { props: { type: "text" } } });
  // @ts-expect-error: an action has no state
  new ActionProvider(methods, { schema: { state: {} } });
  // @ts-expect-error: the schemas are known
  new ZodActionProvider(z.object({}), methods, { schema: { props: {} } });
  // @ts-expect-error: only a resource has a state
  new ZodActionProvider(z.object({}), methods, { stateVersion: 1 });
  const one = { name: "a", schema: true };
  new FunctionProvider({ f: (a: string) => a }, {
    // @ts-expect-error: there is one parameter
    schema: { f: { parameters: [one, one], returns: true } },
  });
  new FunctionProvider({ f: () => 1, g: () => 1 }, {
    // @ts-expect-error: one of the functions is missing
    schema: { f: { parameters: [], returns: true } },
  });
}
