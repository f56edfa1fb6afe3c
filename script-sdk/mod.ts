/**
 * Writing infrastructure as Deno scripts: each script is one provider, which
 * Terraform and Pulumi use through denobridge.
 *
 * ```ts
 * import { DatasourceProvider } from "@denobridge/script-sdk";
 *
 * export default new DatasourceProvider<{ text: string }, { digest: string }>({
 *   async read({ text }) {
 *     const bytes = new TextEncoder().encode(text);
 *     const digest = await crypto.subtle.digest("SHA-256", bytes);
 *     return { digest: new Uint8Array(digest).toHex() };
 *   },
 * });
 * ```
 *
 * Use `console.log` and its like freely: they write to standard error, since
 * standard output belongs to the protocol. Tests call providers by means of
 * `@denobridge/script-sdk/testing`.
 *
 * @module
 */

// First, so that what is imported after it cannot print on standard output.
import "./src/console.ts";

export * from "./src/action.ts";
export type { CallContext, PlanContext, ReadContext } from "./src/context.ts";
export * from "./src/datasource.ts";
export type {
  DescriptionOptions,
  FunctionDescription,
  ParameterDescription,
} from "./src/describe.ts";
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
} from "./src/diagnostics.ts";
export * from "./src/ephemeral_resource.ts";
export * from "./src/function.ts";
export { RpcError } from "./src/json_rpc.ts";
export type {
  DescribingSchema,
  JsonSchema,
  JsonSchemaKeywords,
  JsonType,
} from "./src/json_schema.ts";
export { Provider, type ProviderOptions } from "./src/provider.ts";
export * from "./src/resource.ts";
export type { Infer, Schema } from "./src/schema.ts";
export * from "./src/version.ts";
export * from "./src/zod.ts";
