// A thing is a record in things.json: { [key]: { color, revision } }. Its key can't be changed.
import { RpcError, serve } from "../lib/rpc.ts";

type Things = Record<string, { color: string; revision: number }>;
const file = "things.json";
const load = (): Things => {
  try {
    return JSON.parse(Deno.readTextFileSync(file));
  } catch {
    return {};
  }
};
const save = (t: Things) => Deno.writeTextFileSync(file, JSON.stringify(t));
const view = (id: string, t: Things) => ({
  state: { revision: t[id].revision, upper: t[id].color.toUpperCase() },
  sensitiveState: { token: `token-of-${id}` },
});

await serve({
  create({ props }) {
    const t = load();
    if (t[props.key]) {
      throw new RpcError(
        -32010,
        `a thing with key ${props.key} is already there`,
      );
    }
    t[props.key] = { color: props.color, revision: 1 };
    save(t);
    return { id: props.key, ...view(props.key, t) };
  },
  read({ id }) {
    const t = load();
    return t[id]
      ? { props: { key: id, color: t[id].color }, ...view(id, t) }
      : { exists: false };
  },
  update({ id, nextProps, currentState }) {
    const t = load();
    t[id] = { color: nextProps.color, revision: currentState.revision + 1 };
    save(t);
    return view(id, t);
  },
  delete({ id }) {
    const t = load();
    delete t[id];
    save(t);
    return { done: true };
  },
  modifyPlan({ planType, nextProps, currentProps }) {
    if (planType !== "update") return { noChanges: true };
    return { requiresReplacement: nextProps.key !== currentProps.key };
  },
});
