// A data source of the older contract, which answers HTTP requests under `deno serve`: says which props it gets.
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === "/health") {
      return new Response(null, { status: 204 });
    }
    const { props } = await request.json();
    return Response.json({ got: `props: ${JSON.stringify(props)}` });
  },
} satisfies Deno.ServeDefaultExport;
