// An action: tells the people in charge.
import { ZodActionProvider } from "@denobridge/script-sdk";
import { z } from "zod";
import { Disk } from "./disk.ts";

const Props = z.strictObject({
  message: z.string(),
  urgency: z.union([z.literal("low"), z.literal("high")]).default("low"),
});

export default new ZodActionProvider(Props, {
  async invoke({ message, urgency }, _progress, context) {
    await new Disk(context).append("journal", `${urgency}: ${message}`);
  },
}, { description: "Leaves a message." });
