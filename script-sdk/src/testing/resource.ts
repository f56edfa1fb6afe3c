/**
 * A resource's life in a test.
 *
 * @module
 */

import type { Diagnostic } from "../diagnostics.ts";
import type { Members } from "../provider.ts";
import type { ResourceProvider } from "../resource.ts";
import { joinSensitive } from "../wire.ts";
import {
  call,
  callOptional,
  OperationFailed,
  sameOnWire,
  warningsOf,
} from "./call.ts";

/** What would be done. */
export interface Plan {
  /** `none` when nothing differs. */
  action: "create" | "update" | "replace" | "delete" | "none";
  /** The state after the change, if the script says. */
  plannedState?: unknown;
  /** What the script warns of. */
  warnings: Diagnostic[];
}

interface Known {
  id: unknown;
  props: unknown;
  state: unknown;
  sensitiveState: unknown;
}

/** Begins the life of a resource; there is no object yet. */
export function resource<TProps, TState, TID>(
  provider: ResourceProvider<TProps, TState, TID>,
): ResourceUnderTest<TProps, TState, TID> {
  return new ResourceUnderTest(provider);
}

/**
 * An object of a resource, and what the host would know of it. With
 * `await using` it is removed at the end of the test.
 */
export class ResourceUnderTest<TProps, TState = void, TID = string>
  implements AsyncDisposable {
  /** Progress that the script reported. */
  readonly progress: string[] = [];
  /** Warnings that the script gave. */
  readonly warnings: Diagnostic[] = [];

  readonly #provider: ResourceProvider<TProps, TState, TID>;
  #known: Known | undefined;

  /** No object yet. */
  constructor(provider: ResourceProvider<TProps, TState, TID>) {
    this.#provider = provider;
  }

  /** Whether there is an object, as far as is known. */
  get exists(): boolean {
    return this.#known !== undefined;
  }

  /** The object's id. */
  get id(): TID {
    return this.#object().id as TID;
  }

  /** The object's props, as last known. */
  get props(): TProps {
    return this.#object().props as TProps;
  }

  /** The object's state, as last known, with its secrets under `sensitive`. */
  get state(): TState {
    const { state, sensitiveState } = this.#object();
    return joinSensitive(state, sensitiveState) as TState;
  }

  /** Looks at the change to `props`, or at the removal for `null`. */
  async plan(
    props: TProps | null,
    unknownPaths?: (string | number)[][],
  ): Promise<Plan> {
    const known = this.#known;
    const next = withoutWriteOnly(props);
    const planType = !known ? "create" : next === null ? "delete" : "update";
    if (!known && next === null) return { action: "none", warnings: [] };
    const answer = await callOptional(this.#provider, "modifyPlan", {
      id: known?.id ?? null,
      planType,
      nextProps: next,
      ...this.#current(),
      ...(unknownPaths &&
        { unknownPaths: unknownPaths.map((path) => ["nextProps", ...path]) }),
    });
    const { modifiedProps, requiresReplacement, plannedState } = answer ?? {};
    const unchanged = planType === "update" &&
      sameOnWire(modifiedProps ?? next, known?.props);
    const replace = planType === "update" && requiresReplacement === true;
    return {
      action: unchanged ? "none" : replace ? "replace" : planType,
      plannedState,
      warnings: warningsOf(answer ?? {}),
    };
  }

  /**
   * Makes or changes the object so that it is as `props` say, as the host
   * would: plans, replaces where that is asked for, and then reads. Fails
   * when what is read differs from what was asked for or answered, since users
   * would then see a change in every plan.
   */
  async apply(props: TProps): Promise<Plan> {
    const plan = await this.plan(props);
    if (plan.action === "replace") await this.destroy();
    if (plan.action === "update") await this.#update(props);
    if (plan.action === "create" || plan.action === "replace") {
      await this.#create(props);
    }
    const { plannedState } = plan;
    if (plannedState != null && !sameOnWire(plannedState, this.#known?.state)) {
      throw new Error(
        `The state differs from the planned one: ${
          JSON.stringify(this.#known?.state)
        } instead of ${JSON.stringify(plannedState)}`,
      );
    }
    await this.#checkRead();
    return plan;
  }

  /** Looks at the object again; `false` when it is gone. */
  async refresh(): Promise<boolean> {
    const found = await this.#read();
    if (found) this.#known = found;
    else this.#known = undefined;
    return found !== undefined;
  }

  /** Finds an object that somebody else made. */
  async import(id: TID, props: TProps | null = null): Promise<void> {
    this.#known = { id, props, state: null, sensitiveState: null };
    if (!await this.refresh()) throw new Error(`There is no object ${id}`);
  }

  /** Removes the object, if there is one. */
  async destroy(): Promise<void> {
    if (!this.#known) return;
    const { id, props, state, sensitiveState } = this.#known;
    const params = { id, props, state, sensitiveState };
    const answer = await this.#call("delete", params);
    if (answer.done === false) throw new Error('"delete" answered done: false');
    this.#known = undefined;
  }

  /** Removes the object. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }

  async #create(props: TProps): Promise<void> {
    const next = withoutWriteOnly(props);
    const params = {
      props: next,
      ...named("writeOnlyProps", writeOnlyOf(props)),
    };
    const created = ({ id, state = null, sensitiveState = null }: Members) => {
      this.#known = { id, props: next, state, sensitiveState };
    };
    try {
      const answer = await this.#call("create", params);
      if (typeof answer.id !== "string" || answer.id === "") {
        throw new Error(
          `"create" must answer an id that is text, not ${answer.id}`,
        );
      }
      created(answer);
    } catch (error) {
      // An object that was made only in part is there, and is to be removed.
      if (error instanceof OperationFailed && error.answer.id) {
        created(error.answer);
      }
      throw error;
    }
  }

  async #update(props: TProps): Promise<void> {
    const { id } = this.#object();
    const next = withoutWriteOnly(props);
    const answer = await this.#call("update", {
      id,
      nextProps: next,
      ...named("nextWriteOnlyProps", writeOnlyOf(props)),
      ...this.#current(),
    });
    const { state = null, sensitiveState = null } = answer;
    this.#known = { id, props: next, state, sensitiveState };
  }

  async #read(): Promise<Known | undefined> {
    const known = this.#object();
    const answer = await this.#call("read", { ...known });
    if (answer.exists === false) return undefined;
    const { props = null, state = null, sensitiveState = null } = answer;
    return { id: known.id, props, state, sensitiveState };
  }

  async #checkRead(): Promise<void> {
    const known = this.#object();
    const found = await this.#read();
    if (!found) throw new Error('"read" does not find what was just made');
    for (const part of ["props", "state", "sensitiveState"] as const) {
      if (!sameOnWire(found[part], known[part])) {
        throw new Error(
          `"read" finds other ${part} than there should be: ${
            JSON.stringify(found[part])
          } instead of ${JSON.stringify(known[part])}`,
        );
      }
    }
  }

  async #call(method: string, params: Members): Promise<Members> {
    const progress = (message: string) => void this.progress.push(message);
    const answer = await call(this.#provider, method, params, { progress });
    this.warnings.push(...warningsOf(answer));
    return answer;
  }

  #current(): Members {
    return {
      currentProps: this.#known?.props ?? null,
      currentState: this.#known?.state ?? null,
      currentSensitiveState: this.#known?.sensitiveState ?? null,
    };
  }

  #object(): Known {
    if (!this.#known) throw new Error("There is no object");
    return this.#known;
  }
}

function writeOnlyOf(props: unknown): unknown {
  return (props as { writeOnly?: unknown } | null)?.writeOnly;
}

function withoutWriteOnly(props: unknown): unknown {
  if (writeOnlyOf(props) === undefined) return props;
  const { writeOnly: _, ...rest } = props as Members;
  return rest;
}

function named(name: string, value: unknown): Members {
  return value === undefined ? {} : { [name]: value };
}
