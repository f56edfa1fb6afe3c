/**
 * An ephemeral resource in a test.
 *
 * @module
 */

import type { EphemeralResourceProvider } from "../ephemeral_resource.ts";
import type { Members } from "../provider.ts";
import { joinSensitive } from "../wire.ts";
import { call, callOptional } from "./call.ts";

/** What has been opened. With `await using` it is closed at the end. */
export interface Opened<TResult> extends AsyncDisposable {
  /** What it gave; secrets are under `sensitive`. */
  readonly result: TResult;
  /** When it is to be renewed, in seconds since 1970. */
  readonly renewAt: number | undefined;
  /** Renews it. */
  renew(): Promise<void>;
  /** Closes it, if the provider has a `close`. */
  close(): Promise<void>;
}

/** Opens an ephemeral resource. */
export async function open<TProps, TResult, TPrivateData>(
  provider: EphemeralResourceProvider<TProps, TResult, TPrivateData>,
  props: TProps,
): Promise<Opened<TResult>> {
  const answer = await call(provider, "open", { props });
  let { renewAt, privateData } = answer as Members & { renewAt?: number };
  const params = () => privateData == null ? {} : { privateData };
  const close = async () => {
    const answer = await callOptional(provider, "close", params());
    if (answer?.done === false) throw new Error('"close" answered done: false');
  };
  return {
    result: joinSensitive(answer.result, answer.sensitiveResult) as TResult,
    get renewAt() {
      return renewAt;
    },
    async renew() {
      const renewed = await call(provider, "renew", params());
      renewAt = renewed.renewAt as number | undefined;
      privateData = renewed.privateData ?? privateData;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
