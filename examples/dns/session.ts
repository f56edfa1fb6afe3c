// An ephemeral resource: a token for one zone that is good as long as the run
// lasts, and is revoked at its end.
//
//   props   { zone }
//   result  { zone }, and { token } as its secret part
import { EphemeralResourceProvider } from "@denobridge/script-sdk";
import { Api } from "./api.ts";

export interface Result {
  zone: string;
  /** Shown nowhere, and in no state. */
  sensitive: { token: string };
}

interface Session {
  id: string;
  token: string;
  /** In seconds since 1970. */
  expires: number;
}

/** A minute before it ends. */
const renewAt = ({ expires }: Session) => expires - 60;

export default new EphemeralResourceProvider<
  { zone: string },
  Result,
  { id: string }
>({
  async open({ zone }, context) {
    const path = `/zones/${zone}/sessions`;
    const session = await new Api(context).call<Session>("POST", path);
    return {
      result: { zone, sensitive: { token: session.token } },
      renewAt: renewAt(session),
      privateData: { id: session.id },
    };
  },

  async renew({ id }, context) {
    const path = `/sessions/${id}`;
    const session = await new Api(context).call<Session>("PATCH", path);
    return { renewAt: renewAt(session) };
  },

  async close({ id }, context) {
    await new Api(context).remove(`/sessions/${id}`);
  },
});
