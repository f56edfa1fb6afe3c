// The library in a process of its own, by what it writes on which stream.
import { deepEqual, equal, match } from "node:assert/strict";
import { Child } from "./child.ts";

const script = "./scripts/serving.ts";

Deno.test("only the protocol is on standard output", async () => {
  await using child = new Child(script);
  deepEqual(await child.call("health"), {
    jsonrpc: "2.0",
    id: 0,
    result: { ok: true, concurrent: true, configure: true, cancel: true },
  });
  const answer = await child.call("read", { props: { what: "print" } });
  deepEqual(answer.result, { result: "printed" });
  const { errors, further } = await child.end();
  deepEqual(further, []);
  match(errors, /printed while loading\nprinted in a call\n[^]*default: 1/);
});

Deno.test("messages say their level to a host that asks for it", async () => {
  await using child = new Child(script);
  await child.call("health", { logLevels: true });
  await child.call("read", { props: { what: "print" } });
  const { errors } = await child.end();
  match(
    errors,
    /^printed while loading\n<6>printed in a call\n[^]*<6>default: 1/,
  );
});

Deno.test("calls run side by side and are answered by id", async () => {
  await using child = new Child(script);
  await child.send("read", { props: { what: "overlap" } });
  await child.send("read", { props: { what: "overlap" } });
  const ids = [(await child.next()).id, (await child.next()).id];
  deepEqual(ids.sort(), [0, 1]);
});

Deno.test("errors keep their words, causes, codes and data", async () => {
  await using child = new Child(script);
  deepEqual((await child.call("read", { props: { what: "throw" } })).error, {
    code: -32603,
    message: "TypeError: no such host",
    data: { causes: ["Error: refused"] },
  });
  deepEqual((await child.call("read", { props: { what: "refuse" } })).error, {
    code: -32010,
    message: "quota",
    data: { left: 0 },
  });
  const circular = await child.call("read", { props: { what: "circular" } });
  match(JSON.stringify(circular.error), /circular structure/);
  deepEqual((await child.call("create", {})).error, {
    code: -32601,
    message: "Method not found: create",
  });
  const { errors } = await child.end();
  match(errors, /TypeError: no such host\n +at /);
});

Deno.test("progress names its call", async () => {
  await using child = new Child(script);
  await child.call("health");
  await child.send("read", { props: { what: "progress" } });
  deepEqual(await child.next(), {
    jsonrpc: "2.0",
    method: "invokeProgress",
    params: { message: "half way", requestId: 1 },
  });
  deepEqual((await child.next()).result, { result: "done" });
});

Deno.test("a call that is given up is told, and is answered as cancelled", async () => {
  await using child = new Child(script);
  const id = await child.send("read", { props: { what: "wait" } });
  const cancel = { jsonrpc: "2.0", method: "$/cancelRequest", params: { id } };
  await child.write(JSON.stringify(cancel) + "\n");
  const { error } = await child.next();
  deepEqual(error, { code: -32800, message: "Cancelled" });
});

Deno.test("large integers come and go exactly", async () => {
  await using child = new Child(script);
  const value =
    '{"large":9007199254740993,"small":-1,"text":"9007199254740993"}';
  await child.write(
    `{"id":"a","method":"read","params":{"props":{"what":"echo","value":${value}}}}\n`,
  );
  equal(
    await child.line(),
    `{"jsonrpc":"2.0","id":"a","result":{"result":{"value":${value}}}}`,
  );
});

Deno.test("messages may come in pieces, and be damaged", async () => {
  await using child = new Child(script);
  await child.write('\r\n{"id":0,"method":"he');
  await child.write(
    'alth","params":{}}\r\n{damaged}\n[{"id":1,"method":"health"},7]\n',
  );
  const first = await child.next();
  deepEqual([first.id, first.result], [0, {
    ok: true,
    concurrent: true,
    configure: true,
    cancel: true,
  }]);
  const codes = [];
  for (let count = 0; count < 3; count++) {
    const { id, error } = await child.next();
    codes.push([
      id,
      (error as { code: number } | undefined)?.code ?? "answered",
    ]);
  }
  deepEqual(codes.sort(), [[null, -32600], [null, -32700], [1, "answered"]]);
});

Deno.test("a message of many megabytes passes both ways", async () => {
  await using child = new Child(script);
  const value = "ä".repeat(8_000_000);
  const answer = await child.call("read", { props: { what: "echo", value } });
  equal((answer.result as { result: { value: string } }).result.value, value);
});

for (const id of ["request", "notification"]) {
  Deno.test(`shutdown as a ${id} waits for the calls that are running`, async () => {
    await using child = new Child(script);
    await child.send("read", { props: { what: "overlap" } });
    await child.write(
      `{"method":"shutdown"${id === "request" ? ',"id":"s"' : ""}}\n`,
    );
    await child.send("read", { props: { what: "overlap" } });
    const { code, further } = await child.end();
    equal(code, 0);
    deepEqual(
      further.map((line) => JSON.parse(line).id).sort(),
      id === "request" ? [0, 1, "s"] : [0, 1],
    );
  });
}

Deno.test("the end of its input is the end of it", async () => {
  await using child = new Child(script);
  equal((await child.end()).code, 0);
});

Deno.test("two providers in one script are refused with the reason", async () => {
  await using child = new Child("./scripts/two_providers.ts");
  const { code, errors } = await child.end();
  equal(code, 1);
  match(errors, /A script is one provider/);
});
