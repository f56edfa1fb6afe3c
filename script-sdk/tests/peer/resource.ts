// Written as for the Go provider's library: its name, its signatures.
import {
  ResourceProvider,
  type ResourceProviderMethods,
} from "@brad-jones/terraform-provider-denobridge";

interface Props {
  path: string;
  text: string;
  writeOnly?: { key: string };
}

interface State {
  length: number;
  sensitive: { key: string };
}

const view = (text: string, key = ""): State => ({
  length: text.length,
  sensitive: { key },
});

const methods: ResourceProviderMethods<Props, State> = {
  async create({ path, text, writeOnly }) {
    await Deno.writeTextFile(path, text);
    return { id: path, state: view(text, writeOnly?.key) };
  },
  async read(id, props) {
    try {
      const text = await Deno.readTextFile(id);
      if (props === null) console.log("imported");
      return { props: { path: id, text }, state: view(text, "kept") };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { exists: false };
      throw error;
    }
  },
  async update(id, nextProps, currentProps, currentState) {
    if (nextProps.path !== currentProps.path) throw new Error("moved");
    await Deno.writeTextFile(id, nextProps.text);
    return view(nextProps.text, currentState.sensitive.key);
  },
  async delete(id, _props, _state) {
    await Deno.remove(id);
  },
  // deno-lint-ignore require-await
  async modifyPlan(_id, planType, nextProps, currentProps, _currentState) {
    if (planType === "delete") {
      const severity = "warning";
      return {
        diagnostics: [{ severity, summary: "going", detail: "for good" }],
      };
    }
    if (planType !== "update") return;
    return { requiresReplacement: nextProps?.path !== currentProps?.path };
  },
};

new ResourceProvider(methods);
