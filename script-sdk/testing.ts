/**
 * Tests of a script's provider without any host: the calls go the way that the
 * host's go, JSON included, and what the host would refuse fails the test.
 *
 * ```ts
 * import { assertEquals } from "jsr:@std/assert";
 * import { resource } from "@denobridge/script-sdk/testing";
 * import note from "./note.ts";
 *
 * Deno.test("a note is written and removed", async () => {
 *   await using object = resource(note);
 *   await object.apply({ path: "note.txt", text: "one" });
 *   assertEquals(await Deno.readTextFile("note.txt"), "one");
 * });
 * ```
 *
 * Import this module, before or after the script: it keeps the script's
 * provider from reading the standard input of the test.
 *
 * @module
 */

import { keepFromServing } from "./src/server.ts";

keepFromServing();

export { invoke, type Invoked } from "./src/testing/action.ts";
export { call, type CallOptions, OperationFailed } from "./src/testing/call.ts";
export { configure } from "./src/testing/configure.ts";
export { read } from "./src/testing/datasource.ts";
export { open, type Opened } from "./src/testing/ephemeral_resource.ts";
export { callFunction } from "./src/testing/function.ts";
export {
  IntegrationUnderTest,
  type PartOf,
  startIntegration,
} from "./src/testing/integration.ts";
export {
  type Plan,
  resource,
  ResourceUnderTest,
} from "./src/testing/resource.ts";
