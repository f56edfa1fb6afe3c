import { ZodActionProvider } from "@brad-jones/terraform-provider-denobridge";
import { z } from "@zod/zod";

new ZodActionProvider(z.object({ items: z.array(z.string()) }), {
  async invoke({ items }, progressCallback) {
    for (const item of items) await progressCallback(item);
  },
});
