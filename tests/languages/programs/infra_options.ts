// What a program may say about resources of the package in examples/infra beside their properties, and two versions of that
// package in one stack.
import * as infra from "@pulumi/infra";
import * as newer from "@pulumi/infra-newer";
import * as pulumi from "@pulumi/pulumi";
import { onDisk, Scenario } from "./scenario";

const settings = { root: "data", permissions: { allow: ["read", "write"] } };

/** Adds a tag to every bucket. */
const marked: pulumi.ResourceTransform = (args) => ({
  props: { ...args.props, tags: { ...args.props.tags, marked: "yes" } },
  opts: args.opts,
});

function everything(round: string) {
  return async () => {
    const provider = new infra.Provider("older", settings);
    const replaced = new infra.Bucket("replaced", {
      name: "replaced",
      tags: { round },
    }, {
      provider,
      replaceOnChanges: ["tags.round"],
      // There is only one bucket of a name.
      deleteBeforeReplace: true,
      customTimeouts: { create: "10m" },
    });
    const people = new infra.Database("people", {
      name: "people",
      owner: pulumi.secret("somebody"),
    }, { provider, dependsOn: [replaced] });
    const transformed = new infra.Bucket("transformed", {
      name: "transformed",
      tags: { team: "web" },
    }, { provider, transforms: [marked] });
    const other = new newer.Provider("newer", settings);
    new newer.Bucket("fed", {
      name: "fed",
      tags: { url: transformed.url },
    }, { provider: other });
    new newer.Slow("slow", { seconds: 0 }, { provider: other });
    return { owner: people.owner };
  };
}

const late = async () => {
  const provider = new newer.Provider("newer", settings);
  const customTimeouts = { create: "2s" };
  new newer.Slow("late", { seconds: 600 }, { provider, customTimeouts });
};

async function main() {
  const scenario = await Scenario.begin("infra-options");
  await scenario.up("create", everything("one"));
  onDisk("data/buckets/transformed.json", "data/buckets/fed.json");
  const { deployment } = await scenario.stack.exportStack();
  const providers = deployment.resources.filter((one: { type: string }) =>
    one.type === "pulumi:providers:infra"
  );
  const versions = providers.map((one: any) => one.inputs.version);
  console.log(`versions of infra: ${versions.sort().join(", ")}`);
  // Providers are updated once, by the engine: it knows the version of the plugin from the state then, and not from a
  // language host, which an inline program does not have.
  await scenario.preview("the same program again", everything("one"));
  await scenario.up(
    "replaceOnChanges, deleteBeforeReplace",
    everything("two"),
  );
  onDisk("data/buckets/replaced.json");
  await scenario.refused("customTimeouts", late, /customTimeouts[^\n]*/);
  await scenario.destroy("destroy");
  onDisk(
    "data/buckets/replaced.json",
    "data/buckets/transformed.json",
    "data/buckets/fed.json",
  );
}

main();
