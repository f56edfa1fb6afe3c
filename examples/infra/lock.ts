// An ephemeral resource: a lock that is held as long as a run lasts.
import { ZodEphemeralResourceProvider } from "@denobridge/script-sdk";
import { z } from "zod";
import { Disk } from "./disk.ts";

const Props = z.strictObject({ name: z.string() });

const Result = z.object({
  sensitive: z.object({
    token: z.string().meta({ description: "Shows that the lock is held." }),
  }),
});

const file = (name: string) => `locks/${name}.json`;

export default new ZodEphemeralResourceProvider(Props, Result, Props, {
  async open({ name }, context) {
    const token = `token-of-${name}`;
    const disk = new Disk(context);
    await disk.write(file(name), {});
    await disk.append("journal", `locked ${name}`);
    return { result: { sensitive: { token } }, privateData: { name } };
  },

  async close({ name }, context) {
    const disk = new Disk(context);
    await disk.remove(file(name));
    await disk.append("journal", `unlocked ${name}`);
  },
}, { description: "A lock that is held until the end of a run." });
