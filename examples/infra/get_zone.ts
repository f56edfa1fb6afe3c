// A data source: the names below a domain, and what they stand for.
import { ZodDatasourceProvider } from "@denobridge/script-sdk";
import { z } from "zod";
import { Disk } from "./disk.ts";

const Props = z.strictObject({
  name: z.string().meta({ description: "The domain, such as `example.org`." }),
});

const Result = z.object({
  serial: z.int().meta({ description: "Goes up with every change." }),
  records: z.array(z.object({
    name: z.string(),
    type: z.enum(["A", "CNAME", "TXT"]),
    value: z.string(),
  })),
});

export default new ZodDatasourceProvider(Props, Result, {
  async read({ name }, context) {
    const zone = await new Disk(context).read<z.infer<typeof Result>>(
      `zones/${name}.json`,
    );
    if (!zone) throw new Error(`There is no zone ${name}.`);
    return zone;
  },
}, { name: "Zone", description: "A domain." });
