// An integration that does what its events ask for.
import { fail, integration, pass, warn } from "../../integration.ts";

console.log("printed while loading");
// It would keep the process alive.
setInterval(() => {}, 1000);

export default integration({
  name: "test",
  version: "1.2.3",
  filter: { types: ["a"], actions: ["create"] },
  initialize({ settings, log }) {
    if (settings.refuse) throw new Error("not with these settings");
    log("info", `settings: ${JSON.stringify(settings)}`);
  },
  hooks: {
    async prePlan({ resource, proposed_state }, { signal, log }) {
      switch (proposed_state?.what) {
        case "deny":
          return fail(`${resource.type} is not allowed`, { action: "halt" });
        case "warn":
          return warn(["one", "two"], { metadata: { count: 2 } });
        case "pass":
          return pass({ metadata: { seen: true } });
        case "throw":
          throw new TypeError("no such rule", { cause: new Error("gone") });
        case "print":
          console.log("printed at a hook");
          log("debug", "logged at a hook");
          return;
        case "wait":
          return await new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))
          );
        case "size":
          return warn(`${JSON.stringify(proposed_state).length} characters`);
      }
    },
    planStageComplete({ counts }) {
      return warn(`${counts?.create} to create`);
    },
  },
  shutdown(reason) {
    console.log(`shut down: ${reason}`);
  },
});
