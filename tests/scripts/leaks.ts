// Says everything that it is told on every way that it has: each level of the log, lines on standard output that are no
// messages, warnings, errors with data. What it makes is only a name and a token of its own. It is a script of every kind.
import { type Params, RpcError, serve } from "./rpc.ts";

let told: Params = {};

function say(method: string, params: Params): string {
  const text = `${method} ${JSON.stringify({ told, params })}`;
  for (const level of ["", "<7>", "<6>", "<4>", "<3>"]) {
    console.error(level + text);
  }
  console.log("stray " + text);
  return text;
}

const warning = (detail: string) => ({
  severity: "warning",
  summary: `said: ${detail}`,
  detail,
});

/** An answer beside a warning, or an error, as the props ask for. */
function answer(method: string, params: Params, answered: Params): Params {
  const text = say(method, params);
  const { fails } = params.nextProps ?? params.props ?? {};
  if (fails === method) {
    throw new RpcError(-32010, text, { told, params });
  }
  const found = fails === `${method} diagnostic`
    ? [{ ...warning(text), severity: "error" }]
    : [warning(text)];
  return { ...answered, diagnostics: found };
}

const sensitiveState = { token: "canary-of-the-script" };
const sensitiveResult = { token: "canary-of-the-result" };

await serve({
  health: () => ({ ok: true, configure: true }),
  configure(params) {
    told = params;
    say("configure", params);
  },
  modifyPlan: (params) => answer("modifyPlan", params, {}),
  create: (params) =>
    answer("create", params, {
      id: "one",
      state: { made: true },
      sensitiveState,
    }),
  read: (params) =>
    "id" in params
      ? answer("read", params, {
        props: params.props,
        state: params.state,
        sensitiveState,
        exists: true,
      })
      : answer("look up", params, { result: { found: true }, sensitiveResult }),
  update: (params) =>
    answer("update", params, { state: { made: true }, sensitiveState }),
  delete: (params) => answer("delete", params, { done: true }),
  // What Terraform hands to these may be secret without its saying so; it is not repeated here.
  open: () =>
    answer("open", {}, {
      result: { opened: true },
      sensitiveResult,
      privateData: { key: "canary-private" },
      renewAt: Math.floor(Date.now() / 1000) + 1,
    }),
  renew: (params) =>
    answer("renew", params, { privateData: { key: "canary-private-2" } }),
  close: (params) => answer("close", params, { done: true }),
  invoke: (params) => answer("invoke", params, { done: true }),
});
