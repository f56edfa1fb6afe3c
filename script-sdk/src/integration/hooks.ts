/**
 * The hooks, by their names here and on the wire.
 *
 * @module
 */

import type {
  PostApply,
  PostConfigured,
  PostPlan,
  PostReadDataSource,
  PostRefresh,
  PreApply,
  PreConfigured,
  PrePlan,
  PreRefresh,
  StageComplete,
  StageStart,
} from "./messages.ts";

/** What each hook is told. */
export interface HookEvents {
  /** The provider is about to be configured for an operation. */
  initStageStart: StageStart;
  /** The provider is configured. */
  initStageComplete: StageComplete;
  /** The first thing of a plan is about to happen. */
  planStageStart: StageStart;
  /** A stored state is about to be compared with the real object. */
  preRefresh: PreRefresh;
  /** It has been compared. */
  postRefresh: PostRefresh;
  /** A change of an instance is about to be planned. */
  prePlan: PrePlan;
  /** It is planned. */
  postPlan: PostPlan;
  /** A data source is about to be read. */
  preReadDataSource: PreConfigured;
  /** It has been read. */
  postReadDataSource: PostReadDataSource;
  /** An ephemeral resource is about to be opened. */
  preOpenEphemeral: PreConfigured;
  /** It is open. */
  postOpenEphemeral: PostConfigured;
  /** All of a plan has happened. */
  planStageComplete: StageComplete;
  /** The first thing of an apply is about to happen. */
  applyStageStart: StageStart;
  /** A planned change is about to be made. */
  preApply: PreApply;
  /** It has been made, or has failed. */
  postApply: PostApply;
  /** An action is about to run. */
  preInvokeAction: PreConfigured;
  /** It has run. */
  postInvokeAction: PostConfigured;
  /** All of an apply has happened. */
  applyStageComplete: StageComplete;
}

/** The name of a hook. */
export type Hook = keyof HookEvents;

/** The hooks' names as methods of the protocol. */
export const methods: Readonly<Record<Hook, string>> = {
  initStageStart: "init_stage_start",
  initStageComplete: "init_stage_complete",
  planStageStart: "plan_stage_start",
  preRefresh: "pre_refresh_resource",
  postRefresh: "post_refresh_resource",
  prePlan: "pre_plan_resource",
  postPlan: "post_plan_resource",
  preReadDataSource: "pre_read_data_source",
  postReadDataSource: "post_read_data_source",
  preOpenEphemeral: "pre_open_ephemeral",
  postOpenEphemeral: "post_open_ephemeral",
  planStageComplete: "plan_stage_complete",
  applyStageStart: "apply_stage_start",
  preApply: "pre_apply_resource",
  postApply: "post_apply_resource",
  preInvokeAction: "pre_invoke_action",
  postInvokeAction: "post_invoke_action",
  applyStageComplete: "apply_stage_complete",
};
