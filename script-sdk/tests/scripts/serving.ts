// A provider whose behaviour the tests ask for by name.
import { DatasourceProvider, RpcError } from "../../mod.ts";

console.log("printed while loading");
let inside = 0;

export default new DatasourceProvider<
  { what: string; value?: unknown },
  unknown
>({
  async read({ what, value }, context) {
    switch (what) {
      case "print":
        console.log("printed in a call");
        console.table([1]);
        console.count();
        return "printed";
      case "echo":
        return { value };
      case "throw":
        throw new TypeError("no such host", { cause: new Error("refused") });
      case "refuse":
        throw new RpcError(-32010, "quota", { left: 0 });
      case "progress":
        await context.progress("half way");
        return "done";
      case "overlap": {
        inside += 1;
        while (inside < 2) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return inside;
      }
      case "wait":
        await new Promise((_, reject) => {
          context.signal.addEventListener(
            "abort",
            () => reject(context.signal.reason),
          );
        });
        return "never";
      case "circular": {
        const value: Record<string, unknown> = {};
        value.self = value;
        return value;
      }
      default:
        return undefined;
    }
  },
}, { exactIntegers: true });
