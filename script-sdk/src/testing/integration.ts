/**
 * An integration in a test.
 *
 * @module
 */

import { type Hook, type HookEvents, methods } from "../integration/hooks.ts";
import { ask, type Integration } from "../integration/integration.ts";
import type {
  Initialize,
  Resource,
  Result,
  Run,
  ShutdownReason,
} from "../integration/messages.ts";
import { DENOBRIDGE_VERSION } from "../version.ts";
import { transmitted } from "./call.ts";

/** A part of an event: what is left out is as in an uneventful run. */
export type PartOf<T> = {
  [K in keyof T]?: K extends "run" | "resource" ? Partial<T[K]> : T[K];
};

/** An integration that was started. */
export class IntegrationUnderTest implements AsyncDisposable {
  /** What it answered when it was started. */
  readonly initialized: {
    name: string;
    version: string;
    subscribed_hooks: string[];
    filter?: { types?: string[]; actions?: string[] };
  };
  /** What it has written to the log: `info: text`. */
  readonly log: string[];
  readonly #integration: Integration;
  #seq = 0;
  #isOver = false;

  /** See {@linkcode startIntegration}. */
  constructor(
    integration: Integration,
    initialized: IntegrationUnderTest["initialized"],
    log: string[],
  ) {
    this.#integration = integration;
    this.initialized = initialized;
    this.log = log;
  }

  /**
   * Asks it at a hook, with what the host would send.
   *
   * @throws what the hook throws, and when there is no such hook.
   */
  async ask<H extends Hook>(
    hook: H,
    event: PartOf<HookEvents[H]> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Result> {
    const params = complete(hook, ++this.#seq, event);
    const answer = await this.#call(methods[hook], params, signal);
    const { status } = answer as Partial<Result>;
    if (status !== "pass" && status !== "warn" && status !== "fail") {
      throw new TypeError(`"${hook}" answered no status: ${status}`);
    }
    return answer as Result;
  }

  /** Shuts it down, once. */
  async shutdown(reason: ShutdownReason = "complete"): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#call("shutdown", { reason }, new AbortController().signal);
  }

  async #call(
    method: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const answer = await this.#integration[ask](
      method,
      transmitted(params),
      signal,
      (level, message) => this.log.push(`${level}: ${message}`),
    );
    return transmitted(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }
}

/** Starts an integration as the host does. */
export async function startIntegration(
  integration: Integration,
  settings: Record<string, unknown> = {},
  host: Partial<Initialize["host"]> = {},
): Promise<IntegrationUnderTest> {
  const log: string[] = [];
  const params: Initialize = {
    core_version: DENOBRIDGE_VERSION,
    protocol_version: 1,
    available_hooks: Object.values(methods),
    host: { name: "terraform", version: null, kind: "terraform", ...host },
    run: run(0),
    settings,
  };
  const initialized = await integration[ask](
    "initialize",
    transmitted(params),
    new AbortController().signal,
    (level, message) => log.push(`${level}: ${message}`),
  );
  return new IntegrationUnderTest(
    integration,
    transmitted(initialized) as IntegrationUnderTest["initialized"],
    log,
  );
}

const PROVIDER = "registry.terraform.io/hashicorp/example";

function run(seq: number): Run {
  return {
    id: "test",
    seq,
    host: "terraform",
    operation: "apply",
    stage: "plan",
    pass: 1,
    phase: "plan",
    workspace: "default",
    project: "test",
    provider: { address: PROVIDER, alias_hint: null },
  };
}

function resource(part: Partial<Resource> = {}): Resource {
  const type = part.type ?? "example_server";
  const name = part.name ?? "web";
  return {
    type,
    name,
    address: `${type}.${name}`,
    address_source: "state",
    module_path: null,
    deposed_key: null,
    urn: null,
    id: null,
    identity: null,
    provider: PROVIDER,
    ...part,
  };
}

function complete(hook: Hook, seq: number, event: object): unknown {
  const given = event as { run?: Partial<Run>; resource?: Partial<Resource> };
  const isApply = /apply|InvokeAction/i.test(hook);
  const stage = isApply ? "apply" as const : "plan" as const;
  const whole = { ...run(seq), stage, phase: stage, ...given.run };
  if (/Stage/.test(hook)) {
    const { operation, workspace } = whole;
    return { operation, workspace, ...event, run: whole };
  }
  const after = hook.startsWith("post")
    ? { diagnostics: [], duration_ms: 1 }
    : {};
  const states = /Plan|Apply|Refresh/.test(hook)
    ? { prior_state: null }
    : { config: {} };
  return {
    ...states,
    ...(hook === "prePlan" && { proposed_state: null }),
    ...(hook === "preApply" && { planned_state: null, action: "create" }),
    redacted: {},
    unknown: {},
    ...after,
    ...event,
    run: whole,
    resource: resource(given.resource),
  };
}
