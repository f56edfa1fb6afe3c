import { ZodResourceProvider } from "@brad-jones/terraform-provider-denobridge";
import { z } from "@zod/zod";

const propsSchema = z.object({ name: z.string().min(2) });
const stateSchema = z.object({
  upper: z.string(),
  sensitive: z.object({ pin: z.number() }),
});
const view = (name: string) => ({
  upper: name.toUpperCase(),
  sensitive: { pin: 1 },
});

new ZodResourceProvider(propsSchema, stateSchema, {
  // deno-lint-ignore require-await
  async create({ name }) {
    return { id: name, state: view(name) };
  },
  // deno-lint-ignore require-await
  async read(id, _props) {
    return { props: { name: id }, state: view(id) };
  },
  // deno-lint-ignore require-await
  async update(_id, nextProps, _currentProps, currentState) {
    return { ...view(nextProps.name), sensitive: currentState.sensitive };
  },
  async delete(_id, _props, _state) {},
});
