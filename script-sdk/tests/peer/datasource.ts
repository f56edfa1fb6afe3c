import { DatasourceProvider } from "@brad-jones/terraform-provider-denobridge";

interface Result {
  hash: string;
  sensitive?: { seed: string };
}

new DatasourceProvider<{ value: string }, Result>({
  async read({ value }) {
    const bytes = await crypto.subtle.digest(
      "SHA-256",
      new TextEncoder().encode(value),
    );
    return { hash: new Uint8Array(bytes).toHex(), sensitive: { seed: value } };
  },
});
