/**
 * Integrations: scripts that see, warn about and deny what providers are about
 * to do under Terraform and Pulumi.
 *
 * ```ts
 * import { fail, integration } from "@denobridge/script-sdk/integration";
 *
 * export default integration({
 *   name: "no-public-buckets",
 *   filter: { types: ["aws_s3_bucket"] },
 *   hooks: {
 *     prePlan({ proposed_state }) {
 *       if (proposed_state?.acl === "public-read") {
 *         return fail("buckets are not public here");
 *       }
 *     },
 *   },
 * });
 * ```
 *
 * The configuration file names the script and its permissions:
 *
 * ```toml
 * [[integration]]
 * name = "no-public-buckets"
 * script = "no_public_buckets.ts"
 * fail_mode = "hard"
 * ```
 *
 * @module
 */

// First, so that what is imported after it cannot print on standard output.
import "./src/console.ts";

export type { Hook, HookEvents } from "./src/integration/hooks.ts";
export {
  fail,
  type Further,
  type HookContext,
  type Hooks,
  Integration,
  integration,
  type IntegrationOptions,
  type LogLevel,
  pass,
  PROTOCOL_VERSION,
  warn,
} from "./src/integration/integration.ts";
export type * from "./src/integration/messages.ts";
