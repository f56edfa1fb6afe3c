// Written as for the Go provider's library.
import { EphemeralResourceProvider } from "@brad-jones/terraform-provider-denobridge";

new EphemeralResourceProvider<
  { name: string },
  { name: string; sensitive: { token: string } },
  { name: string }
>({
  // deno-lint-ignore require-await
  async open({ name }) {
    const renewAt = Math.floor(Date.now() / 1000) + 3600;
    return {
      result: { name, sensitive: { token: `canary-of-${name}` } },
      renewAt,
      privateData: { name },
    };
  },
  // deno-lint-ignore require-await
  async renew(privateData) {
    return { renewAt: Math.floor(Date.now() / 1000) + 3600, privateData };
  },
  async close({ name }) {
    await Deno.writeTextFile("closed.txt", `${name}\n`, { append: true });
  },
});
