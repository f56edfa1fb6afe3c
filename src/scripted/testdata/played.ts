// Plays a part: answers each method as `answers.json` beside it says, and writes down what it was asked in `calls.jsonl`.
// An answer is { result } or { error } or { raw }, in which ID is the call's; without one, the least that the contract asks for.
// An array of answers is for one call after the other. `progress` is told before the answer.
// deno-lint-ignore-file no-explicit-any
const here = (name: string) => `${import.meta.dirname}/${name}`;

function usual(method: string, params: any): any {
  switch (method) {
    case "health":
      return { result: { ok: true } };
    case "create":
      return { result: { id: "x", state: { made: true } } };
    case "read":
      return {
        result: {
          props: params.props,
          state: params.state ?? { made: true },
          sensitiveState: params.sensitiveState,
        },
      };
    case "update":
      return { result: { state: { made: true } } };
    case "delete":
    case "close":
    case "invoke":
      return { result: { done: true } };
    case "open":
      return { result: { result: params.props } };
    case "list":
      return { result: { objects: [] } };
    case "shutdown":
      return { result: {} };
  }
  return { error: { code: -32601, message: "Method not found" } };
}

const calls: Record<string, number> = {};

function next(method: string, given: any) {
  calls[method] = (calls[method] ?? 0) + 1;
  return Array.isArray(given) ? given[calls[method] - 1] : given;
}

let rest = "";
for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method !== "health" && method !== "shutdown") {
      Deno.writeTextFileSync(
        here("calls.jsonl"),
        JSON.stringify({ pid: Deno.pid, method, params }) + "\n",
        { append: true },
      );
    }
    let answers: any = {};
    try {
      answers = JSON.parse(Deno.readTextFileSync(here("answers.json")));
    } catch { /* none were given */ }
    const answer = next(method, answers[method]) ?? usual(method, params);
    for (const message of answer.progress ?? []) {
      const told = {
        jsonrpc: "2.0",
        method: "invokeProgress",
        params: { message },
      };
      console.log(JSON.stringify(told));
    }
    console.log(
      answer.raw?.replace('"id":ID', `"id":${id}`) ??
        JSON.stringify({ jsonrpc: "2.0", id, ...answer }),
    );
    if (method === "shutdown") Deno.exit(0);
  }
}
