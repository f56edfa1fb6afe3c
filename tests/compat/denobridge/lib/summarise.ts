// Turns `terraform … -json` lines on standard input into short, comparable lines.
// deno-lint-ignore-file no-explicit-any
// The case's folder has another name each time: deno run summarise.ts FOLDER
const [folder] = Deno.args;
const text = (await new Response(Deno.stdin.readable).text()).replaceAll(
  folder,
  "[DIR]",
);
const skip = /development overrides/;
let crashed = false;
for (const line of text.split("\n")) {
  if (!line.startsWith("{")) {
    if (/panic:|TERRAFORM CRASH/.test(line)) crashed = true;
    continue;
  }
  let e: any;
  try {
    e = JSON.parse(line);
  } catch {
    continue;
  }
  if (e.type === "diagnostic") {
    const d = e.diagnostic;
    if (skip.test(d.summary)) continue;
    if (/Plugin did not respond|Request cancelled/.test(d.summary)) {
      crashed = true;
      continue;
    }
    const where = [d.address, d.range ? `line ${d.range.start.line}` : ""]
      .filter(Boolean).join(" ");
    const detail = String(d.detail ?? "").replace(/\s+/g, " ").slice(0, 300);
    console.log(
      `  ${d.severity}: ${d.summary} | ${detail}${where ? ` | ${where}` : ""}`,
    );
  } else if (e.type === "planned_change") {
    const c = e.change;
    console.log(
      `  planned: ${c.resource.addr} ${c.action}${
        c.reason ? ` (${c.reason})` : ""
      }`,
    );
  } else if (e.type === "resource_drift") {
    console.log(`  drift: ${e.change.resource.addr} ${e.change.action}`);
  } else if (e.type === "apply_complete") {
    console.log(`  applied: ${e.hook.resource.addr} ${e.hook.action}`);
  } else if (e.type === "apply_errored") {
    console.log(`  failed: ${e.hook.resource.addr} ${e.hook.action}`);
  } else if (/^ephemeral_op_(complete|errored)$/.test(e.type)) {
    console.log(
      `  ephemeral: ${e.hook.resource.addr} ${e.hook.action} ${
        e.type.slice(13)
      }`,
    );
  } else if (e.type === "change_summary") {
    const c = e.changes;
    console.log(
      `  ${c.operation}: add=${c.add} change=${c.change} remove=${c.remove} import=${
        c.import ?? 0
      }`,
    );
  } else if (e.type === "outputs") {
    for (const [name, o] of Object.entries<any>(e.outputs)) {
      if ("value" in o && !o.sensitive) {
        console.log(`  output ${name} = ${JSON.stringify(o.value)}`);
      }
    }
  }
}
if (crashed) {
  console.log("  CRASH: the provider or Terraform itself stopped with a panic");
}
