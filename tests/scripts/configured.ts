// A resource that works with what the provider's configuration says, and notes for each call which region and token that
// were. It keeps nothing but its props.
import { type Params, serve } from "./rpc.ts";

let told: Params = {};

function note(method: string) {
  const { config, sensitiveConfig } = told;
  const token = sensitiveConfig?.token ?? "no token";
  const line = `${method} in ${config?.region ?? "no region"} with ${token}\n`;
  Deno.writeTextFileSync("notes", line, { append: true });
  console.error(`${method}: ${token}`);
}

await serve({
  health: () => ({ ok: true, configure: true }),
  configure(params: Params) {
    if (params.sensitiveConfig?.token?.endsWith("expired")) {
      throw new Error(`the token ${params.sensitiveConfig.token} is not good`);
    }
    told = params;
    note("configure");
  },
  create({ props }: Params) {
    note("create");
    return { id: "kept", state: { region: told.config?.region, ...props } };
  },
  read({ props, state }: Params) {
    note("read");
    return { props, state };
  },
  delete() {
    note("delete");
    return { done: true };
  },
});
