// A script of the older contract, which answers HTTP requests under `deno serve`: a file as a resource, its length as a data
// source, a lease as an ephemeral resource, and an action.
const none = (status = 204) => new Response(null, { status });

async function resource(path: string, id: string, props: Props, next: Props) {
  switch (path) {
    case "/create":
      await Deno.writeTextFile(props.path, props.content);
      return Response.json({ id: props.path, state: { made: true } });
    case "/update":
      await Deno.writeTextFile(id, next.content);
      return none();
    case "/delete":
      await Deno.remove(id);
      return none();
    default:
      try {
        const content = await Deno.readTextFile(id);
        return Response.json({
          props: { path: id, content },
          state: { made: true },
        });
      } catch {
        return Response.json({ exists: false });
      }
  }
}

interface Props {
  path: string;
  content: string;
}

function plan(type: string, current: Props, next: Props) {
  if (type === "delete") return none();
  if (next.content === "") {
    return Response.json({
      diagnostics: [{
        severity: "error",
        summary: "Nothing to write",
        detail: "The content is empty.",
        propName: "content",
      }],
    });
  }
  return Response.json({
    requiresReplacement: type === "update" && current.path !== next.path,
  });
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return none();
    const body = await request.json();
    switch (pathname) {
      case "/modify-plan":
        return plan(body.planType, body.currentProps, body.nextProps);
      case "/create":
      case "/update":
      case "/delete":
        return await resource(pathname, body.id, body.props, body.nextProps);
      case "/read":
        if ("id" in body) {
          return await resource(pathname, body.id, body.props, body.nextProps);
        }
        return Response.json({ length: body.props.text.length });
      case "/open":
        return Response.json({ result: { token: "t" }, private: { lease: 1 } });
      case "/invoke":
        return new Response('{"message":"half"}\n{"message":"whole"}\n');
      default:
        return none(404);
    }
  },
} satisfies Deno.ServeDefaultExport;
