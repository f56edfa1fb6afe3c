// An action: makes the host's servers forget what they remember of a zone.
//
//   props  { zone, servers }
import { ActionProvider } from "@denobridge/script-sdk";
import { Api } from "./api.ts";

export interface Props {
  zone: string;
  servers: string[];
}

export default new ActionProvider<Props>({
  async invoke({ zone, servers }, progress, context) {
    const api = new Api(context);
    for (const [index, server] of servers.entries()) {
      await api.call("POST", `/servers/${server}/flush`, { zone });
      await progress(`${server}: flushed (${index + 1} of ${servers.length})`);
    }
  },
});
