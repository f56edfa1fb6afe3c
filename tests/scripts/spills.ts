// Lets what it was told in confidence slip to where nobody looks for it: into ids, keys, lists and texts of its state, and into
// what differs once the file `drift` is there.
import { type Params, serve } from "./rpc.ts";

let token = "";

const spilled = () => {
  const drift = exists("drift") ? `changed by ${token}` : "as it was";
  return {
    state: {
      keys: { [`key of ${token}`]: { [token]: drift } },
      list: [token, [`in ${token}`], { inner: token }],
      text: btoa(token),
    },
    sensitiveState: { token: "canary-of-the-script" },
  };
};

function exists(file: string): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}

await serve({
  health: () => ({ ok: true, configure: true }),
  configure({ sensitiveConfig }: Params) {
    token = sensitiveConfig.token;
  },
  create: () => ({ id: `id of ${token}`, ...spilled() }),
  read: ({ props }: Params) => ({ props, ...spilled() }),
  update: spilled,
  delete: () => ({ done: true }),
});
