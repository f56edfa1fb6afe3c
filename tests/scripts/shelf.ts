// The files in a folder as objects, two on a page. The provider's configuration says which folder: config.shelf.
import { type Params, serve } from "./rpc.ts";

let shelf = ".";

await serve({
  health: () => ({ ok: true, configure: true }),
  configure({ config }: Params) {
    shelf = config?.shelf ?? ".";
  },
  list({ props, cursor, includeObject }: Params) {
    const names = Array.from(Deno.readDirSync(shelf), ({ name }) => name)
      .filter((name) => name.startsWith(props.prefix ?? "")).sort();
    const first = cursor ?? 0;
    return {
      objects: names.slice(first, first + 2).map((name) => ({
        id: name,
        displayName: `The book ${name}`,
        ...includeObject ? { props: { title: name }, state: {} } : {},
      })),
      cursor: first + 2 < names.length ? first + 2 : null,
    };
  },
  create: ({ props }: Params) => {
    Deno.writeTextFileSync(`${shelf}/${props.title}`, "");
    return { id: props.title, state: {} };
  },
  read: ({ id }: Params) => ({ props: { title: id }, state: {} }),
  delete: ({ id }: Params) => Deno.removeSync(`${shelf}/${id}`),
});
