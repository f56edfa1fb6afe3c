// Prints the attributes of one resource from terraform.tfstate: deno run -A state.ts ADDRESS ATTR...
// Dynamic attributes are shown with their Terraform type.
const [address, ...names] = Deno.args;
let resources = [];
try {
  resources = JSON.parse(Deno.readTextFileSync("terraform.tfstate")).resources;
} catch { /* no state yet */ }
const [type, name] = address.split(".");
const found = resources.find((r: { type: string; name: string }) =>
  r.type === type && r.name === name
);
if (!found || found.instances.length === 0) {
  console.log(`  state ${address}: absent`);
} else {
  const a = found.instances[0].attributes;
  for (const n of names) {
    const v = a[n];
    const dynamic = v !== null && typeof v === "object" && "type" in v &&
      "value" in v;
    console.log(
      `  state ${n} = ${
        dynamic
          ? `${JSON.stringify(v.value)} : ${JSON.stringify(v.type)}`
          : JSON.stringify(v)
      }`,
    );
  }
}
