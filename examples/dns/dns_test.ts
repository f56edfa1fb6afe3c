import { deepEqual, equal, match, rejects } from "node:assert/strict";
import {
  callFunction,
  configure,
  invoke,
  open,
  read,
  resource,
} from "@denobridge/script-sdk/testing";
import flush from "./flush.ts";
import { serve } from "./host.ts";
import names from "./names.ts";
import record from "./record.ts";
import session from "./session.ts";
import zone from "./zone.ts";

const www = {
  zone: "example.org",
  name: "www",
  type: "A",
  value: "192.0.2.1",
} as const;

/** A host, and all scripts told of it. */
async function started() {
  const host = serve();
  const config = { api: host.address, sensitive: { token: "open sesame" } };
  for (const script of [flush, record, session, zone]) {
    await configure(script, config);
  }
  return host;
}

Deno.test("a record is made, changed, replaced and removed", async () => {
  await using host = await started();
  {
    await using object = resource(record);
    await object.apply(www);
    equal(object.id, "example.org/www/A");
    deepEqual(object.state, { fqdn: "www.example.org" });
    equal(host.records.get("www/A")?.ttl, 300);

    const longer = { ...www, ttl: 600 };
    equal((await object.apply(longer)).action, "update");
    equal(host.records.get("www/A")?.ttl, 600);

    equal((await object.apply({ ...www, name: "web" })).action, "replace");
    deepEqual([...host.records.keys()], ["web/A"]);
  }
  equal(host.records.size, 0);
});

Deno.test("a record is found by its id, and when it has gone", async () => {
  await using host = await started();
  await using object = resource(record);
  await object.apply(www);
  const other = resource(record);
  await other.import("example.org/www/A");
  deepEqual(other.props, www);
  host.records.clear();
  equal(await object.refresh(), false);
});

Deno.test("what is no address is refused while planning", async () => {
  const object = resource(record);
  await rejects(
    object.plan({ ...www, value: "here" }),
    /Not an address \(props.value\)/,
  );
  equal(
    (await object.plan({ ...www, value: "" }, [["value"]])).action,
    "create",
  );
});

Deno.test("a zone has its records", async () => {
  await using _host = await started();
  await using object = resource(record);
  await object.apply(www);
  const found = await read(zone, { zone: "example.org" });
  deepEqual(found, { serial: 2, records: [{ ...www, ttl: 300 }] });
  await rejects(read(zone, { zone: "example.com" }), /no zone example.com/);
});

Deno.test("a session is open as long as it is used", async () => {
  await using host = await started();
  {
    await using opened = await open(session, { zone: "example.org" });
    match(opened.result.sensitive.token, /^session-/);
    await opened.renew();
    equal(host.sessions.size, 1);
  }
  equal(host.sessions.size, 0);
});

Deno.test("servers are flushed one after the other", async () => {
  await using host = await started();
  const props = { zone: "example.org", servers: ["ns1", "ns2"] };
  const { progress } = await invoke(flush, props);
  deepEqual(progress, ["ns1: flushed (1 of 2)", "ns2: flushed (2 of 2)"]);
  deepEqual(host.flushed, ["ns1", "ns2"]);
});

Deno.test("names", async () => {
  const reverse = await callFunction(names, "reverse", "192.0.2.7");
  equal(reverse, "7.2.0.192.in-addr.arpa");
  equal(await callFunction(names, "label", "My Shop!"), "my-shop");
  await rejects(callFunction(names, "reverse", "::1"), /no IPv4 address/);
});
