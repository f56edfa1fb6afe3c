/**
 * The provider's configuration in a test.
 *
 * @module
 */

import type { Provider } from "../provider.ts";
import { splitSensitive } from "../wire.ts";
import { call } from "./call.ts";

/**
 * Configures a script as the host does when it starts it: what its methods find
 * in their context from then on, with the secrets under `sensitive`.
 */
export async function configure(
  provider: Provider,
  config: unknown,
): Promise<void> {
  const [open, sensitive] = splitSensitive(config);
  const params = { config: open ?? null, sensitiveConfig: sensitive ?? null };
  await call(provider, "configure", params);
}
