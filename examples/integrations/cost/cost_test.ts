import { deepEqual, equal } from "node:assert/strict";
import { startIntegration } from "@denobridge/script-sdk/testing";
import cost from "./cost.ts";

const small = { size: "small" };
const large = { size: "large" };

Deno.test("changes are priced and summed up", async () => {
  await using under = await startIntegration(cost);
  const made = { action: "create" as const, planned_state: large };
  deepEqual(await under.ask("postPlan", made), {
    status: "pass",
    message: "+80.00 USD a month",
    metadata: { monthly_before: 0, monthly_after: 80, monthly_delta: 80 },
  });
  await under.ask("postPlan", {
    resource: { name: "other" },
    action: "update",
    prior_state: large,
    planned_state: small,
  });
  deepEqual(await under.ask("planStageComplete"), {
    status: "pass",
    message: "+5.00 USD a month",
    metadata: { monthly_delta: 5, priced: 2 },
  });
});

Deno.test("an instance that is planned again counts once", async () => {
  await using under = await startIntegration(cost);
  const gone = {
    action: "delete" as const,
    prior_state: small,
    planned_state: null,
  };
  await under.ask("postPlan", gone);
  await under.ask("postPlan", gone);
  const { message } = await under.ask("planStageComplete");
  equal(message, "-5.00 USD a month");
});

Deno.test("runs are told apart", async () => {
  await using under = await startIntegration(cost);
  const made = { action: "create" as const, planned_state: large };
  await under.ask("postPlan", { ...made, run: { id: "one" } });
  const { metadata } = await under.ask("planStageComplete", {
    run: { id: "two" },
  });
  equal(metadata?.monthly_delta, 0);
});

Deno.test("what has no price, no change or no plan is left out", async () => {
  await using under = await startIntegration(cost);
  const plans = [
    { resource: { type: "other" }, action: "create" as const },
    { action: "create" as const, planned_state: { size: "huge" } },
    { action: "no-op" as const, prior_state: small, planned_state: small },
    {},
  ];
  for (const plan of plans) {
    deepEqual(await under.ask("postPlan", plan), { status: "pass" });
  }
});

Deno.test("over the budget, the stage fails", async () => {
  await using under = await startIntegration(cost, { budget: 50 });
  await under.ask("postPlan", { action: "create", planned_state: large });
  deepEqual(await under.ask("planStageComplete"), {
    status: "fail",
    message: "+80.00 USD a month is over the budget of +50.00 USD a month",
    metadata: { monthly_delta: 80, priced: 1 },
  });
});
