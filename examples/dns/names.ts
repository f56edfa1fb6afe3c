// Functions about names. They get no permissions and no configuration: what
// they return follows from their arguments alone.
import { DiagnosticsError, FunctionProvider } from "@denobridge/script-sdk";

export default new FunctionProvider({
  /** The name under which an address is looked up. */
  reverse(address: string): string {
    const parts = address.split(".");
    if (parts.length !== 4) {
      const detail = `"${address}" is no IPv4 address.`;
      throw DiagnosticsError.at(["arguments", 0], "Not an address", detail);
    }
    return `${parts.reverse().join(".")}.in-addr.arpa`;
  },

  /** A text as one label of a name. */
  label(text: string): string {
    const label = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    return label.replace(/^-/, "").replace(/-$/, "").slice(0, 63);
  },
});
