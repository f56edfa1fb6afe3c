// A data source for `deno serve` that asks for the provider's configuration and says what it was told.
let told = { region: "nowhere", tokenLength: 0 };

export default {
  async fetch(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case "/health":
        return Response.json({ configure: true });
      case "/configure": {
        const { config, sensitiveConfig } = await request.json();
        told = {
          region: config.region,
          tokenLength: sensitiveConfig.token.length,
        };
        return new Response(null, { status: 204 });
      }
      case "/read":
        return Response.json(told);
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies Deno.ServeDefaultExport;
