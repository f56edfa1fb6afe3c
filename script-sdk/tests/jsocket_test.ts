// Two sockets that talk to each other.
import {
  deepEqual,
  doesNotMatch,
  equal,
  match,
  rejects,
} from "node:assert/strict";
import { createJSocket } from "../jsocket.ts";

type Left = { double(params: { n: number }): Promise<number> };
type Right = { hello(params: { name: string }): string };

function pair(debugLogging = false) {
  const there = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >();
  const back = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >();
  const told: string[] = [];
  const right = createJSocket<Left>(
    { readable: there.readable, close: () => {} },
    { writable: back.writable as WritableStream<Uint8Array> },
  )((client) => ({
    async hello({ name }: { name: string }) {
      return `${name} ${await client.request("double", { n: 2 })}`;
    },
    tell: ({ text }: { text: string }) => void told.push(text),
    fail: () => {
      throw { code: 7, message: "no", data: [1] };
    },
  }));
  const left = createJSocket<
    Right & { tell(params: { text: string }): void; fail(): void; slow(): void }
  >(
    { readable: back.readable, close: () => {} },
    { writable: there.writable as WritableStream<Uint8Array> },
    { debugLogging, responseTimeoutSec: 0.05 },
  )(() => ({ double: ({ n }: { n: number }) => 2 * n }));
  const end = async () => {
    await there.writable.close().catch(() => {});
    await back.writable.close().catch(() => {});
  };
  return { left, right, told, end };
}

Deno.test("requests go both ways, notifications are not answered", async () => {
  const { left, told } = pair();
  equal(await left.client.request("hello", { name: "you" }), "you 4");
  await left.client.notify("tell", { text: "psst" });
  equal(await left.client.request("hello", { name: "me" }), "me 4");
  deepEqual(told, ["psst"]);
});

Deno.test("debug logging names messages and shows nothing of them", async () => {
  const logged: string[] = [];
  const print = console.error;
  console.error = (...data: unknown[]) => logged.push(data.join(" "));
  try {
    const { left } = pair(true);
    equal(await left.client.request("hello", { name: "canary" }), "canary 4");
  } finally {
    console.error = print;
  }
  match(logged.join("\n"), /sent.*hello[^]*received/);
  doesNotMatch(logged.join("\n"), /canary/);
});

Deno.test("errors come as they were thrown", async () => {
  const { left } = pair();
  await rejects(left.client.request("fail"), {
    code: 7,
    message: "no",
    data: [1],
  });
  await rejects(left.client.request("slow"), { code: -32601 });
});

Deno.test("a batch has the results of the calls that want one", async () => {
  const { left } = pair();
  const results = await left.client.batch(
    { method: "hello", params: { name: "a" } },
    { method: "tell", params: { text: "t" }, notification: true },
    { method: "fail" },
  );
  deepEqual(results.map(({ status }) => status), ["fulfilled", "rejected"]);
});

Deno.test("listeners see lines until they are cancelled; lines can be sent", async () => {
  const { left, right } = pair();
  const seen: string[] = [];
  const cancel = right.Rx((line) => void seen.push(line));
  await left.Tx('{"method":"tell","params":{"text":"x"}}');
  await left.client.request("hello", { name: "" });
  cancel();
  const count = seen.length;
  await left.client.request("hello", { name: "" });
  equal(seen[0], '{"method":"tell","params":{"text":"x"}}');
  equal(seen.length, count);
});
