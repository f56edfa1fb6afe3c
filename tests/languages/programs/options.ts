// What a program may say about a resource beside its properties.
import * as denobridge from "@pulumi/denobridge";
import * as pulumi from "@pulumi/pulumi";
import * as fs from "node:fs";
import { onDisk, Scenario } from "./scenario";

const permissions = { allow: ["read", "write", "env"] };

function record(
  name: string,
  value: string,
  options?: pulumi.CustomResourceOptions,
) {
  return new denobridge.Script(name, {
    path: "record.ts",
    permissions,
    props: { file: `${name}.json`, value },
  }, options);
}

/** Adds a prop to every script. */
const marked: pulumi.ResourceTransform = (args) => ({
  props: { ...args.props, props: { ...args.props.props, marked: true } },
  opts: args.opts,
});

function everything(value: string) {
  return async () => {
    record("ignoring", value, { ignoreChanges: ["props.value"] });
    const replacing = record("replacing", value, {
      replaceOnChanges: ["props.value"],
      deleteBeforeReplace: true,
    });
    record("waiting", "fixed", {
      dependsOn: [replacing],
      customTimeouts: { create: "10m" },
    });
    record("transformed", "fixed", { transforms: [marked] });
    const patient = new denobridge.Provider("patient", {
      limits: { callTimeout: 3600 },
    });
    record("explicit", "fixed", { provider: patient });
    record("elder", "fixed", { version: "7.7.7" });
  };
}

const kept = (protect: boolean) => async () =>
  void record("kept", "fixed", { protect });

function named(name: string, aliases: string[]) {
  return async () => {
    const args = {
      path: "record.ts",
      permissions,
      props: { file: "named.json", value: "fixed" },
    };
    new denobridge.Script(name, args, {
      aliases: aliases.map((name) => ({ name })),
    });
  };
}

const known = JSON.stringify({
  id: "known.json",
  path: "record.ts",
  permissions,
});

const imported = async () => void record("known", "by hand", { import: known });

const read = async () => ({
  value: denobridge.Script.get("read", known).props.apply((props) =>
    props?.value
  ),
});

const late = async () =>
  void new denobridge.Script("late", {
    path: "slow.ts",
    permissions,
    props: { ms: 60000 },
  }, {
    customTimeouts: { create: "2s" },
  });

const nothing = async () => {};

async function main() {
  const scenario = await Scenario.begin("options");
  await scenario.up("create", everything("one"));
  onDisk("transformed.json");
  const { deployment } = await scenario.stack.exportStack();
  const providers = deployment.resources.filter((one: { type: string }) =>
    one.type === "pulumi:providers:denobridge"
  );
  console.log(
    `providers: ${providers.length}, one of version ${
      providers.map((one: any) => one.inputs.version).sort().pop()
    }`,
  );
  await scenario.up(
    "ignoreChanges, replaceOnChanges, deleteBeforeReplace",
    everything("two"),
  );
  onDisk("ignoring.json", "replacing.json");
  await scenario.up("a protected one is made", kept(true));
  await scenario.refused(
    "and cannot be deleted",
    nothing,
    /it is protected|is protected/,
  );
  await scenario.up("until it is protected no longer", kept(false));
  await scenario.up("before an alias", named("before", []));
  await scenario.up(
    "a new name with an alias replaces nothing",
    named("after", ["before"]),
  );
  fs.writeFileSync("known.json", '{"file":"known.json","value":"by hand"}\n');
  await scenario.up("import", imported);
  await scenario.up("what was imported is deleted as what was made", nothing);
  onDisk("known.json");
  fs.writeFileSync("known.json", '{"file":"known.json","value":"by hand"}\n');
  await scenario.up("get", read);
  await scenario.up("what was only read stays", nothing);
  onDisk("known.json");
  await scenario.refused("customTimeouts", late, /customTimeouts[^\n]*/);
  await scenario.destroy("destroy");
}

main();
