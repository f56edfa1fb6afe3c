// Integrations: in a process of their own, and by means of the test kit.
import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { startIntegration } from "../testing.ts";
import { fail, integration, pass, warn } from "../integration.ts";
import { methods } from "../src/integration/hooks.ts";
import { Child, type Message } from "./child.ts";
import script from "./scripts/integration.ts";

const file = "./scripts/integration.ts";

const initialize = {
  core_version: "1.0.0",
  protocol_version: 1,
  available_hooks: Object.values(methods),
  host: { name: "terraform", version: null, kind: "terraform" },
  run: { id: "r", seq: 0 },
  settings: { most: 3 },
};

function plan(what: string): unknown {
  return {
    run: {},
    resource: { type: "a" },
    prior_state: null,
    proposed_state: { what },
    redacted: {},
    unknown: {},
    of_a_later_version: true,
  };
}

async function started(): Promise<Child> {
  const child = new Child(file);
  await child.send("initialize", initialize);
  const log = await child.next();
  deepEqual(log, {
    jsonrpc: "2.0",
    method: "log",
    params: { level: "info", message: 'settings: {"most":3}' },
  });
  const { result } = await child.next();
  deepEqual(result, {
    name: "test",
    version: "1.2.3",
    subscribed_hooks: ["pre_plan_resource", "plan_stage_complete"],
    filter: { types: ["a"], actions: ["create"] },
  });
  return child;
}

Deno.test("m45 the hooks of the library are those of the protocol", async () => {
  const schema = JSON.parse(
    await Deno.readTextFile(
      new URL(
        "../../docs/integrations/protocol.schema.json",
        import.meta.url,
      ),
    ),
  );
  const params = Object.keys(schema.$defs).filter((name) =>
    name.endsWith(".params")
  );
  const others = ["initialize", "shutdown", "log", "cancel"];
  deepEqual(
    [...Object.values(methods), ...others].map((name) => `${name}.params`)
      .sort(),
    params.sort(),
  );
});

Deno.test("m45 an integration answers in every way there is", async () => {
  await using child = await started();
  const answer = async (what: string) =>
    (await child.call("pre_plan_resource", plan(what))).result;
  deepEqual(await answer("deny"), {
    status: "fail",
    message: "a is not allowed",
    action: "halt",
  });
  deepEqual(await answer("warn"), {
    status: "warn",
    messages: ["one", "two"],
    metadata: { count: 2 },
  });
  deepEqual(await answer("pass"), { status: "pass", metadata: { seen: true } });
  deepEqual(await answer("nothing"), { status: "pass" });
  const stage = await child.call("plan_stage_complete", {
    counts: { create: 2 },
  });
  deepEqual(stage.result, { status: "warn", message: "2 to create" });
});

Deno.test("m45 what a hook throws is an error of JSON-RPC", async () => {
  await using child = await started();
  const { error } = await child.call("pre_plan_resource", plan("throw"));
  deepEqual(error, {
    code: -32603,
    message: "TypeError: no such rule",
    data: { causes: ["Error: gone"] },
  });
  const unknown = await child.call("post_plan_resource", plan("pass"));
  equal((unknown.error as { code: number }).code, -32601);
});

Deno.test("m45 only the protocol is on standard output", async () => {
  await using child = await started();
  await child.send("pre_plan_resource", plan("print"));
  deepEqual(await child.next(), {
    jsonrpc: "2.0",
    method: "log",
    params: { level: "debug", message: "logged at a hook" },
  });
  deepEqual((await child.next()).result, { status: "pass" });
  const { errors, further } = await child.end();
  deepEqual(further, []);
  match(errors, /printed while loading\nprinted at a hook\n/);
});

Deno.test("m45 calls are answered out of order, and given up by id", async () => {
  await using child = await started();
  const slow = await child.send("pre_plan_resource", plan("wait"));
  deepEqual((await child.call("pre_plan_resource", plan("pass"))).result, {
    status: "pass",
    metadata: { seen: true },
  });
  const cancel = { jsonrpc: "2.0", method: "cancel", params: { id: slow } };
  await child.write(JSON.stringify(cancel) + "\n");
  const given: Message = await child.next();
  equal(given.id, slow);
  equal((given.error as { code: number }).code, -32800);
});

Deno.test("m45 a line may have 8 MiB", async () => {
  await using child = await started();
  const params = plan("size") as { proposed_state: Record<string, string> };
  params.proposed_state.text = "x".repeat((8 << 20) - 512);
  const { result } = await child.call("pre_plan_resource", params);
  match((result as { message: string }).message, /^83\d{5} characters$/);
});

Deno.test("m45 it ends when it is shut down, and with the host", async () => {
  await using child = await started();
  equal((await child.call("shutdown", { reason: "interrupted" })).result, null);
  const { code, errors } = await child.end();
  equal(code, 0);
  match(errors, /shut down: interrupted/);
  await using other = await started();
  equal((await other.end()).code, 0, "although a timer runs");
});

Deno.test("m45 another version of the protocol is refused", async () => {
  await using child = new Child(file);
  const { error } = await child.call("initialize", {
    ...initialize,
    protocol_version: 2,
  });
  match((error as Error).message, /speaks version 1 of the protocol, not 2/);
});

Deno.test("m45 a hook that comes too early, or that there is not", async () => {
  await using child = new Child(file);
  const { error } = await child.call("pre_plan_resource", plan("pass"));
  match((error as Error).message, /came before "initialize"/);
  const wrong = { preDestroy: () => {} } as object;
  throws(
    () => integration({ name: "x", hooks: wrong }),
    /There is no hook "preDestroy"; there are initStageStart/,
  );
});

Deno.test("m45 an integration is tested without a host", async () => {
  await using under = await startIntegration(script, { most: 1 });
  deepEqual(under.log, ['info: settings: {"most":1}']);
  equal(under.initialized.name, "test");
  const event = {
    resource: { type: "b" },
    proposed_state: { what: "deny" },
  };
  deepEqual(
    await under.ask("prePlan", event),
    fail("b is not allowed", { action: "halt" }),
  );
  deepEqual(await under.ask("prePlan"), pass());
  deepEqual(
    await under.ask("planStageComplete", {
      counts: {
        create: 1,
        update: 0,
        replace: 0,
        delete: 0,
        no_op: 0,
        read: 0,
        failed: 0,
      },
    }),
    warn("1 to create"),
  );
  await rejects(
    under.ask("prePlan", { proposed_state: { what: "throw" } }),
    /no such rule/,
  );
  await rejects(under.ask("postApply"), /Method not found: post_apply/);
  await rejects(
    startIntegration(script, { refuse: true }),
    /not with these settings/,
  );
});

Deno.test("m45 the test kit sends what the protocol requires", async () => {
  const schema = JSON.parse(
    await Deno.readTextFile(
      new URL("../../docs/integrations/protocol.schema.json", import.meta.url),
    ),
  );
  const seen = new Map<string, object>();
  const hooks = Object.fromEntries(
    Object.keys(methods).map((hook) => [hook, (event: object) => {
      seen.set(hook, event);
    }]),
  );
  const under = await startIntegration(integration({ name: "all", hooks }));
  for (const hook of Object.keys(methods) as (keyof typeof methods)[]) {
    await under.ask(hook);
    const required: string[] = schema.$defs[`${methods[hook]}.params`].required;
    const missing = required.filter((name) => !(name in seen.get(hook)!));
    deepEqual(missing, [], hook);
  }
});
