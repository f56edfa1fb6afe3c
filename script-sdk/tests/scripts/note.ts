// A text file; its path cannot change.
import { ResourceProvider } from "../../mod.ts";

interface Props {
  path: string;
  text: string;
  writeOnly?: { signature: string };
}

interface State {
  length: number;
  sensitive: { signed: boolean };
}

const view = (text: string): State => ({
  length: text.length,
  sensitive: { signed: text.includes("--") },
});

export default new ResourceProvider<Props, State>({
  async create({ path, text, writeOnly }, { progress, warn }) {
    await progress("writing");
    if (text === "") warn("empty", "There is nothing in it.");
    const signed = writeOnly ? `${text}--${writeOnly.signature}` : text;
    await Deno.writeTextFile(path, signed);
    if (text === "half") {
      const problem = {
        severity: "error" as const,
        summary: "half",
        detail: "",
      };
      return { id: path, state: view(text), diagnostics: [problem] };
    }
    return { id: path, state: view(signed) };
  },
  async read(id) {
    try {
      const text = await Deno.readTextFile(id);
      const props = { path: id, text: text.split("--")[0].toLowerCase() };
      return { props, state: view(text) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { exists: false };
      throw error;
    }
  },
  async update(id, { text }) {
    await Deno.writeTextFile(id, text);
    return view(text);
  },
  async delete(id) {
    await Deno.remove(id);
  },
  modifyPlan(_id, planType, next, current, _state, { unknownPaths }) {
    if (!next || unknownPaths.length > 0) return;
    const moved = planType === "update" && next.path !== current?.path;
    return moved ? { requiresReplacement: true } : {
      plannedState: next.text === "liar"
        ? { ...view(""), length: 99 }
        : undefined,
    };
  },
});
