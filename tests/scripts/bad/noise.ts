// Talks on standard output before, between and inside answers, as a script with a chatty library does.
import { serve } from "../rpc.ts";

console.log("loading the library");
await serve({
  create({ props }) {
    console.log("creating the thing");
    return { id: "noisy", state: { value: props.value } };
  },
  read: ({ props }) => ({ props, state: { value: props.value } }),
  delete() {
    console.log("{ this is not JSON either");
    return { done: true };
  },
});
