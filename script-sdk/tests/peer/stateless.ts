// The name as it is written where there is no import map, with one all the same.
// deno-lint-ignore no-unversioned-import
import { ResourceProvider } from "jsr:@brad-jones/terraform-provider-denobridge";

new ResourceProvider<{ name: string }>({
  // deno-lint-ignore require-await
  async create({ name }) {
    return { id: name };
  },
  // deno-lint-ignore require-await
  async read(id, _props) {
    return { props: { name: id } };
  },
  async update(_id, _nextProps, _currentProps) {},
  async delete(_id, _props) {},
});
