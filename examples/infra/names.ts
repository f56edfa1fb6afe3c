// Functions about names. What they return follows from their arguments alone.
import { DiagnosticsError, FunctionProvider } from "@denobridge/script-sdk";

export default new FunctionProvider({
  /** A text as one label of a name. */
  label(text: string): string {
    const label = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    return label.replace(/^-/, "").replace(/-$/, "").slice(0, 63);
  },

  /** A name as its labels. */
  labels(name: string): string[] {
    if (name === "") {
      const detail = "An empty text has no labels.";
      throw DiagnosticsError.at(["arguments", 0], "Not a name", detail);
    }
    return name.split(".");
  },
}, {
  schema: {
    label: {
      description: "A text as one label of a name.",
      parameters: [{ name: "text", schema: { type: "string" } }],
      returns: { type: "string" },
    },
    labels: {
      description: "The labels of a name.",
      parameters: [{ name: "name", schema: { type: "string" } }],
      returns: { type: "array", items: { type: "string" } },
    },
  },
});
