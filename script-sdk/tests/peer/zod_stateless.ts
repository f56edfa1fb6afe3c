import { ZodResourceProvider } from "@brad-jones/terraform-provider-denobridge";
import { z } from "@zod/zod";

new ZodResourceProvider(z.object({ name: z.string() }), {
  // deno-lint-ignore require-await
  async create(props) {
    return { id: props.name };
  },
  // deno-lint-ignore require-await
  async read(id, props) {
    return props === null
      ? { exists: false }
      : { props: { ...props, name: id } };
  },
  async update(_id, _nextProps, _currentProps) {},
  async delete(_id, _props) {},
});
