import {
  EphemeralResourceProvider,
  ZodEphemeralResourceProvider,
} from "@brad-jones/terraform-provider-denobridge";
import { z } from "@zod/zod";

if (Deno.args.includes("zod")) {
  new ZodEphemeralResourceProvider(
    z.object({ type: z.enum(["v4"]) }),
    z.object({ uuid: z.string() }),
    z.object({ count: z.number() }),
    {
      // deno-lint-ignore require-await
      async open(_props) {
        return {
          result: { uuid: "u" },
          renewAt: 10,
          privateData: { count: 0 },
        };
      },
      // deno-lint-ignore require-await
      async renew(privateData) {
        return { renewAt: 20, privateData: { count: privateData.count + 1 } };
      },
      async close(_privateData) {},
    },
  );
} else {
  new EphemeralResourceProvider<{ type: "v4" }, { uuid: string }>({
    // deno-lint-ignore require-await
    async open({ type }) {
      if (type !== "v4") {
        const severity = "error";
        return {
          diagnostics: [{
            severity,
            summary: "Unknown type",
            detail: type,
            propPath: ["props", "type"],
          }],
        };
      }
      return { result: { uuid: "u" } };
    },
  });
}
