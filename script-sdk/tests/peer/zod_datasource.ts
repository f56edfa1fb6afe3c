import { ZodDatasourceProvider } from "@brad-jones/terraform-provider-denobridge";
import { z } from "@zod/zod";

new ZodDatasourceProvider(
  z.object({ value: z.string() }),
  z.object({ length: z.number() }),
  {
    // deno-lint-ignore require-await
    async read({ value }) {
      return { length: value.length };
    },
  },
);
