/**
 * What an integration is told and what it answers, as it is on the wire.
 *
 * @module
 */

/** Who asks the provider. */
export interface Host {
  /** `terraform`, `tofu` or `pulumi`, as far as it is known. */
  name: string;
  /** Its version, where it says so. */
  version: string | null;
  /** What kind of host it is. */
  kind: "terraform" | "pulumi";
}

/** One run of the user's command. */
export interface Run {
  /** The same for all provider processes of a run. */
  id: string;
  /** Grows with each event: of one provider process, or of the run with `denobridge run`. */
  seq: number;
  /** Who asks. */
  host: "terraform" | "pulumi";
  /** What the user asked for, as far as it can be told. */
  operation: Operation;
  /** The stage that the provider is in. */
  stage: "init" | "plan" | "apply";
  /** Which walk of the stage this is, from 1: a destroy plans twice. */
  pass: number;
  /** Whether this is part of a plan, or of an apply (which may plan again). */
  phase: "plan" | "apply";
  /** Terraform's workspace or Pulumi's stack, where it is known. */
  workspace: string | null;
  /** Pulumi's project, or the name of the root module's folder. */
  project: string | null;
  /** The provider that is asked; `null` in stages of a whole run. */
  provider: {
    /** Its source address. */
    address: string;
    /** An alias or the name of an explicit provider, where it is known. */
    alias_hint: string | null;
  } | null;
}

/** What the user asked for. */
export type Operation = "plan" | "apply" | "refresh" | "destroy" | "unknown";

/** One instance of a component. */
export interface Resource {
  /** Its type, as the provider calls it. */
  type: string;
  /** The name that the user gave it, where it is known. */
  name: string | null;
  /** The address that people know it by, where it is known. */
  address: string | null;
  /** How the address is known; `state` is a guess. */
  address_source: "urn" | "stream" | "state" | "none";
  /** The path of Terraform's module, where it is known. */
  module_path: string | null;
  /** Terraform's key of a deposed object; never known to a provider. */
  deposed_key: string | null;
  /** Pulumi's URN. */
  urn: string | null;
  /** The id in its state, where there is one that is not secret. */
  id: string | null;
  /** Its identity, where it has one that may be told. */
  identity: unknown;
  /** The provider's source address. */
  provider: string;
}

/** What happens to an instance. */
export type Action = "create" | "update" | "replace" | "delete" | "no-op";

/** A state without what is secret or unknown; `null` is no object. */
export type State = Record<string, unknown> | null;

/** What the provider had to say. */
export interface DiagnosticMessage {
  /** Whether it failed. */
  severity: "error" | "warning";
  /** One line. */
  summary: string;
  /** More of it. */
  detail: string;
  /** The attribute that it is about, as a dotted path; empty for the whole. */
  attribute: string;
}

/** What every event about an instance has. */
export interface InstanceEvent {
  /** The run. */
  run: Run;
  /** The instance. */
  resource: Resource;
  /** Dotted paths of what was taken out, by the name of the state. */
  redacted: Record<string, string[]>;
  /** Dotted paths of what is not known yet, by the name of the state. */
  unknown: Record<string, string[]>;
}

/** What every event after a call of the provider has. */
export interface AfterCall {
  /** What the provider had to say. */
  diagnostics: DiagnosticMessage[];
  /** How long it took, in milliseconds. */
  duration_ms: number;
}

/** A change is about to be planned. */
export interface PrePlan extends InstanceEvent {
  /** The stored state. */
  prior_state: State;
  /** What the user's configuration makes of it; `null` when it is to go. */
  proposed_state: State;
}

/** A change was planned. */
export interface PostPlan extends InstanceEvent, AfterCall {
  /** What is planned; absent where planning failed. */
  action?: Action;
  /** The stored state. */
  prior_state: State;
  /** What the provider plans; absent where planning failed. */
  planned_state?: State;
  /** Paths whose change makes a replacement necessary. */
  requires_replace?: string[];
}

/** A planned change is about to be made. */
export interface PreApply extends InstanceEvent {
  /** What is about to happen. */
  action: Action;
  /** The stored state. */
  prior_state: State;
  /** What was planned. */
  planned_state: State;
}

/** A planned change was made, or has failed. */
export interface PostApply extends InstanceEvent, AfterCall {
  /** What was to happen. */
  action?: Action;
  /** The state before. */
  prior_state: State;
  /** What was planned. */
  planned_state?: State;
  /** What came of it; absent where the provider did not say. */
  new_state?: State;
}

/** A stored state is about to be compared with the real object. */
export interface PreRefresh extends InstanceEvent {
  /** The stored state. */
  prior_state: State;
  /** Whether the state comes from an import. */
  import?: boolean;
}

/** A stored state was compared with the real object. */
export interface PostRefresh extends InstanceEvent, AfterCall {
  /** The stored state. */
  prior_state: State;
  /** What there is; `null` when it has gone, absent where reading failed. */
  new_state?: State;
  /** Paths that differ from the stored state. */
  drift?: string[];
  /** Whether the state comes from an import. */
  import?: boolean;
}

/** Something with a configuration is about to be read, opened or invoked. */
export interface PreConfigured extends InstanceEvent {
  /** The user's configuration of it. */
  config: State;
}

/** Something with a configuration was opened or invoked. */
export interface PostConfigured extends PreConfigured, AfterCall {}

/** A data source was read. */
export interface PostReadDataSource extends PostConfigured {
  /** What was read; absent where that failed. */
  new_state?: State;
}

/** A stage begins. */
export interface StageStart {
  /** The run. */
  run: Run;
  /** What the user asked for. */
  operation: Operation;
  /** Terraform's workspace or Pulumi's stack, where it is known. */
  workspace: string | null;
}

/** How many instances had what happen to them. */
export interface Counts {
  /** New objects. */
  create: number;
  /** Changes in place. */
  update: number;
  /** Replacements, which count here only. */
  replace: number;
  /** Objects that went. */
  delete: number;
  /** Instances without a change. */
  no_op: number;
  /** Data sources that were read. */
  read: number;
  /** What failed or was denied. */
  failed: number;
}

/** A stage is over. */
export interface StageComplete extends StageStart {
  /** What was counted. */
  counts?: Counts;
  /** How long the stage took, in milliseconds. */
  duration_ms?: number;
  /** One line for people. */
  summary?: string;
  /** At the end of a plan: what is planned, where Terraform has said it. */
  changes?: PlannedChange[];
}

/** A change that is planned, as Terraform tells it. */
export interface PlannedChange {
  /** Terraform's address. */
  address: string;
  /** What is to happen. */
  action: Action;
}

/** What an integration makes of what it is asked about. */
export interface Result {
  /** Nothing against it, worth a warning, or it must not be. */
  status: "pass" | "warn" | "fail";
  /** One line for the user. */
  message?: string;
  /** Further lines. */
  messages?: string[];
  /** Facts for the report, by names of the integration's own. */
  metadata?: Record<string, unknown>;
  /** Asks that the operation ends; counts where `fail_mode` is `hard`. */
  action?: "halt";
}

/** What is said to an integration first. */
export interface Initialize {
  /** The version of denobridge. */
  core_version: string;
  /** The version of the protocol. */
  protocol_version: number;
  /** The methods that the integration can be asked. */
  available_hooks: string[];
  /** Who asks the provider. */
  host: Host;
  /** The run, as it is before anything has happened. */
  run: Run;
  /** What the configuration file has for the integration itself. */
  settings: Record<string, unknown>;
}

/** Why an integration is shut down. */
export type ShutdownReason = "complete" | "interrupted" | "error";
