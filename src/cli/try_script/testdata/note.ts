// A note kept as a file, spoken in plain JSON-RPC. `props.mischief` names a mistake to make.
// deno-lint-ignore-file no-explicit-any
const send = (message: any) =>
  console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

async function call(method: string, params: any): Promise<any> {
  switch (method) {
    case "health":
      return { ok: true };
    case "create": {
      const { props } = params;
      console.error(`writing ${props.path}`);
      if (props.mischief === "throw") throw new Error("the disk is full");
      await Deno.writeTextFile(props.path, props.text);
      if (props.mischief === "slow") {
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
      const answer: any = {
        id: props.path,
        state: { length: props.text.length },
      };
      if (params.writeOnlyProps) {
        answer.sensitiveState = { pin: params.writeOnlyProps.pin };
      }
      if (props.mischief === "half") {
        answer.diagnostics = [{
          severity: "error",
          summary: "Half done",
          detail: "The note has no ink.",
          propPath: ["props", "text"],
        }];
      }
      return answer;
    }
    case "read": {
      const text = await Deno.readTextFile(params.id).catch(() => null);
      if (text === null) return { exists: false };
      const props = { ...params.props, path: params.id, text };
      if (props.mischief === "drift") props.text += "!";
      return {
        props,
        state: { length: text.length },
        sensitiveState: params.sensitiveState ?? null,
      };
    }
    case "update":
      await Deno.writeTextFile(params.id, params.nextProps.text);
      return {
        state: { length: params.nextProps.text.length },
        sensitiveState: params.currentSensitiveState,
      };
    case "delete":
      await Deno.remove(params.id);
      return { done: true };
    case "modifyPlan":
      if (
        params.planType === "update" &&
        params.nextProps.path !== params.currentProps.path
      ) {
        return { requiresReplacement: true };
      }
      return { noChanges: true };
    case "shutdown":
      return {};
  }
  throw { code: -32601, message: "Method not found" };
}

let rest = "";
for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    try {
      send({ id, result: await call(method, params) });
    } catch (error: any) {
      send({
        id,
        error: { code: error.code ?? -32000, message: error.message },
      });
    }
    if (method === "shutdown") Deno.exit(0);
  }
}
