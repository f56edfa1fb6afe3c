// A resource: a bucket. Types, checks and documentation come from its schemas.
import { ZodResourceProvider } from "@denobridge/script-sdk";
import { z } from "zod";
import { Disk } from "./disk.ts";

const Rule = z.strictObject({
  prefix: z.string().default("").meta({
    description: "Which objects it is about.",
  }),
  days: z.int().min(1).meta({ description: "When they expire." }),
});

const Props = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{3,63}$/).meta({
    description: "What it is called. Another name is another bucket.",
    "x-replaces": true,
  }),
  access: z.enum(["private", "public"]).default("private").meta({
    description: "Who may read it.",
  }),
  maxSize: z.int().min(1).optional().meta({ description: "In bytes." }),
  rules: z.array(Rule).optional().meta({ description: "What expires." }),
  website: z.union([
    z.string(),
    z.strictObject({ index: z.string(), notFound: z.string().optional() }),
  ]).optional().meta({
    description: "An address that all requests go to, or pages to show.",
  }),
  tags: z.record(z.string(), z.string()).optional(),
});

const State = z.object({
  url: z.string().meta({ description: "Where its objects are." }),
});

type Props = z.infer<typeof Props>;

const file = (name: string) => `buckets/${name}.json`;
const state = ({ name }: Props) => ({ url: `disk://${name}` });

export default new ZodResourceProvider(Props, State, {
  async create(props, context) {
    const disk = new Disk(context);
    if (await disk.read(file(props.name))) {
      throw new Error(`There is a bucket ${props.name} already.`);
    }
    await disk.write(file(props.name), props);
    return { id: props.name, state: state(props) };
  },

  async read(id, _props, context) {
    const props = await new Disk(context).read<Props>(file(id));
    return props ? { props, state: state(props) } : { exists: false };
  },

  async update(id, props, _current, _state, context) {
    await new Disk(context).write(file(id), props);
    return state(props);
  },

  async delete(id, _props, _state, context) {
    await new Disk(context).remove(file(id));
  },
}, { description: "A place for objects." });
