import { deepEqual, equal, rejects } from "node:assert/strict";
import { startIntegration } from "@denobridge/script-sdk/testing";
import policy from "./policy.ts";
import rules from "./rules.json" with { type: "json" };
import { checked } from "./rules.ts";

const server = { name: "web", size: "small", tags: { team: "a" } };

Deno.test("what keeps the rules passes", async () => {
  await using under = await startIntegration(policy);
  const event = { proposed_state: server };
  deepEqual(await under.ask("prePlan", event), { status: "pass" });
});

Deno.test("what breaks rules is refused with all of them", async () => {
  await using under = await startIntegration(policy);
  const event = { proposed_state: { name: "Web 1", size: "large" } };
  deepEqual(await under.ask("prePlan", event), {
    status: "fail",
    messages: [
      "team-tag: has no tags.team; tag it with the team that answers for it",
      'names: has the name "Web 1"; a name has small letters, digits and dashes',
      'sizes: has the size "large"; large servers cost a lot; ask first',
    ],
    metadata: { broken_rules: ["team-tag", "names", "sizes"] },
  });
});

Deno.test("a rule of severity warn only warns", async () => {
  await using under = await startIntegration(policy);
  const event = { proposed_state: { ...server, size: "large" } };
  equal((await under.ask("prePlan", event)).status, "warn");
});

Deno.test("types can be forbidden, and kept from being removed", async () => {
  await using under = await startIntegration(policy);
  const key = { type: "aws_iam_access_key" };
  const made = { resource: key, proposed_state: {} };
  equal((await under.ask("prePlan", made)).status, "fail");
  const gone = {
    resource: { type: "aws_db_instance" },
    prior_state: server,
    proposed_state: null,
  };
  equal((await under.ask("prePlan", gone)).status, "fail");
  const server_gone = { prior_state: server, proposed_state: null };
  equal((await under.ask("prePlan", server_gone)).status, "pass");
});

Deno.test("what is not known or not to be seen yet is judged when it is applied", async () => {
  await using under = await startIntegration(policy);
  const { tags: _, ...untagged } = server;
  const unknown = {
    proposed_state: untagged,
    unknown: { proposed_state: ["tags"] },
  };
  equal((await under.ask("prePlan", unknown)).status, "pass");
  const redacted = {
    proposed_state: untagged,
    redacted: { proposed_state: ["tags.team"] },
  };
  equal((await under.ask("prePlan", redacted)).status, "pass");
  const applied = { action: "create" as const, planned_state: untagged };
  equal((await under.ask("preApply", applied)).status, "fail");
  const nothing = { action: "no-op" as const, planned_state: untagged };
  equal((await under.ask("preApply", nothing)).status, "pass");
});

Deno.test("rules can be in the configuration file, and are checked", async () => {
  const own = [{ name: "none", forbid: true, message: "nothing at all" }];
  await using under = await startIntegration(policy, { rules: own });
  equal(
    (await under.ask("prePlan", { proposed_state: server })).status,
    "fail",
  );
  const wrong = [{ name: "x", requires: ["tags"], message: "m" }];
  await rejects(
    startIntegration(policy, { rules: wrong }),
    /rule x: unknown "requires"/,
  );
  deepEqual(checked(rules), rules);
});
