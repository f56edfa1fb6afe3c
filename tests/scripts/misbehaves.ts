// Answers `create` in the way that props.how says; everything else as it should be.
const encoder = new TextEncoder();

function write(text: string) {
  const bytes = encoder.encode(text);
  for (let done = 0; done < bytes.length;) {
    done += Deno.stdout.writeSync(bytes.subarray(done));
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function create(how: string, id: number) {
  const result = { id: "made", state: { how } };
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
  // The answer up to its state, which is to be damaged.
  const begun = answer.slice(0, answer.indexOf('{"how"'));
  switch (how) {
    case "twice":
      return write(`${answer}\n${answer}\n`);
    case "id as text":
      return write(answer.replace(`"id":${id}`, `"id":"${id}"`) + "\n");
    case "unknown id first":
      return write(`${answer.replace(`"id":${id}`, '"id":4711')}\n${answer}\n`);
    case "behind text":
      return write(`working... ${answer} done\n`);
    case "throws later":
      setTimeout(() => {
        throw new Error("too late to matter");
      }, 20);
      return write(answer + "\n");
    case "throws before":
      setTimeout(() => {
        throw new Error("nobody caught this");
      }, 20);
      return await pause(5000);
    case "text cut in a character":
      return write(begun + '"\\ud83d"}}\n');
    case "noise inside":
      return write(begun + "\nprinted by another task\n{}}}\n");
    case "not a number":
      return write(begun + "NaN}}\n");
    case "too deep":
      return write(begun + "[".repeat(300) + "]".repeat(300) + "}}\n");
    case "diagnostics are text":
      return write(begun + '{},"diagnostics":"oh no"}}\n');
    case "exits inside":
      write(begun + '{"how":');
      return Deno.exit(4);
    case "too large":
      return write(begun + `"${"x".repeat(20000)}"}}\n`);
    default:
      return write(answer + "\n");
  }
}

let rest = "";
for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    const reply = (outcome: unknown) =>
      write(
        JSON.stringify({ jsonrpc: "2.0", id, ...outcome as object }) + "\n",
      );
    switch (method) {
      case "health":
        reply({ result: { ok: true } });
        break;
      case "create":
        await create(params.props.how, id);
        break;
      case "read":
        reply({ result: { props: params.props, state: params.state } });
        break;
      case "delete":
        reply({ result: { done: true } });
        break;
      case "shutdown":
        reply({ result: {} });
        Deno.exit(0);
        break;
      default:
        reply({ error: { code: -32601, message: "Method not found" } });
    }
  }
}
