// An answer of ten megabytes, and a line of 100 KiB on standard error.
import { serve } from "../rpc.ts";

await serve({
  create() {
    console.error("e".repeat(100 * 1024));
    return { id: "large", state: { text: "x".repeat(10 * 1024 * 1024) } };
  },
  read: ({ props }) => ({
    props,
    state: { text: "x".repeat(10 * 1024 * 1024) },
  }),
  delete: () => ({ done: true }),
});
