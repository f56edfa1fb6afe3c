/**
 * The library for scripts that were written for
 * `@brad-jones/terraform-provider-denobridge`: the same names. Such scripts
 * expect a process to themselves during a call, so they get one call at a time
 * unless they say `{ concurrent: true }`.
 *
 * Map the old name to this module in the script's `deno.json`:
 *
 * ```json
 * { "imports": { "@brad-jones/terraform-provider-denobridge": "jsr:@denobridge/script-sdk@^0.1/compat" } }
 * ```
 *
 * @module
 */

import { oneCallAtATime } from "./src/server.ts";

oneCallAtATime();

export * from "./mod.ts";
