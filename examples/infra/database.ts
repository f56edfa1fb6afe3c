// A resource with secrets: a password that no state keeps, and a key that the
// state keeps as a secret.
import { ZodResourceProvider } from "@denobridge/script-sdk";
import { z } from "zod";
import { Disk } from "./disk.ts";

const Props = z.strictObject({
  name: z.string().min(1).meta({ "x-replaces": true }),
  owner: z.string().default("admin"),
  writeOnly: z.strictObject({
    password: z.string().min(8).meta({ description: "Of the owner." }),
  }).optional(),
});

const State = z.object({
  address: z.string(),
  sensitive: z.object({
    key: z.string().meta({ description: "For who reads only." }),
  }),
});

interface Stored {
  owner: string;
  /** Never the password itself. */
  password?: string;
  key: string;
}

const file = (name: string) => `databases/${name}.json`;
const state = (name: string, { key }: Stored) => ({
  address: `disk://${name}`,
  sensitive: { key },
});

async function digest(password?: string): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const bytes = new TextEncoder().encode(password);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash).slice(0, 4), (byte) => {
    return byte.toString(16).padStart(2, "0");
  }).join("");
}

export default new ZodResourceProvider(Props, State, {
  async create({ name, owner, writeOnly }, context) {
    const stored: Stored = {
      owner,
      password: await digest(writeOnly?.password),
      key: `key-of-${name}-${crypto.randomUUID()}`,
    };
    await new Disk(context).write(file(name), stored);
    return { id: name, state: state(name, stored) };
  },

  async read(id, _props, context) {
    const stored = await new Disk(context).read<Stored>(file(id));
    if (!stored) return { exists: false };
    const { owner } = stored;
    return { props: { name: id, owner }, state: state(id, stored) };
  },

  async update(id, { owner, writeOnly }, _current, known, context) {
    const disk = new Disk(context);
    const before = await disk.read<Stored>(file(id));
    const { key } = known.sensitive;
    const password = await digest(writeOnly?.password) ?? before?.password;
    const stored = { owner, password, key };
    await disk.write(file(id), stored);
    return state(id, stored);
  },

  async delete(id, _props, _state, context) {
    await new Disk(context).remove(file(id));
  },
}, { description: "A database with one owner." });
