// The package of scripts in examples/infra: every kind of component, and what a program may say about them beside their
// properties.
import * as infra from "@pulumi/infra";
import * as pulumi from "@pulumi/pulumi";
import * as fs from "node:fs";
import { linesOnDisk, onDisk, Scenario } from "./scenario";

const settings = { root: "data", permissions: { allow: ["read", "write"] } };

// One of two types: pages, or an address.
const pages = { index: "index.html" };
const address = "https://example.org";

function everything(
  { maxSize = 1024, name = "assets", was, website = pages }: {
    maxSize?: number;
    name?: string;
    was?: string;
    website?: string | { [name: string]: string };
  },
) {
  return async () => {
    const provider = new infra.Provider("infra", settings);
    const lock = infra.openLockOutput({ name: "deployment" }, { provider });
    const zone = infra.getZoneOutput({ name: "example.org" }, { provider });
    const assets = new infra.Bucket(name, {
      name: infra.labelOutput("Our Assets", { provider }).result,
      maxSize,
      rules: [{ prefix: "tmp/", days: 7 }],
      website,
      tags: { team: "web" },
    }, { provider, aliases: was ? [{ name: was }] : [] });
    const people = new infra.Database("people", {
      name: "people",
      password: "correct horse",
    }, { provider, dependsOn: [assets] });
    new infra.NotifyAction("told", {
      message: pulumi.interpolate`${assets.url} is there`,
      triggers: [assets.url],
    }, { provider });
    return {
      url: assets.url,
      key: people.key.apply((key) => key.slice(0, 14)),
      page: assets.website.apply((site) =>
        typeof site === "string" ? site : site.index
      ),
      first: zone.records[0].value,
      token: lock.token,
    };
  };
}

/** A second bucket, with options. */
function logs(days: number, options: pulumi.CustomResourceOptions) {
  return async () => {
    const provider = new infra.Provider("infra", settings);
    new infra.Bucket("logs", {
      name: "logs",
      rules: [{ prefix: "", days }],
    }, { ...options, provider });
  };
}

const found = async () => {
  const provider = new infra.Provider("infra", settings);
  const bucket = infra.Bucket.get("found", "by-hand", { provider });
  return { access: bucket.access, url: bucket.url };
};

const imported = async () => {
  const provider = new infra.Provider("infra", settings);
  const options = { provider, import: "by-hand" };
  new infra.Bucket("imported", { name: "by-hand", access: "public" }, options);
};

function write(file: string, content: unknown) {
  fs.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(content) + "\n");
}

/** Keeps what is on disk, to be compared with what others leave there. */
const keep = (stage: string) =>
  fs.cpSync("data", `kept/${stage}`, { recursive: true });

const assets = "data/buckets/our-assets.json";
const byHand = "data/buckets/by-hand.json";

async function main() {
  write("data/zones/example.org.json", {
    serial: 1,
    records: [{ name: "www", type: "A", value: "192.0.2.1" }],
  });
  const scenario = await Scenario.begin("infra");
  await scenario.refused(
    "what no type says is refused by name",
    everything({ maxSize: 0 }),
    /property maxSize value [^\n]*/,
  );
  onDisk(assets);
  await scenario.up("create", everything({}));
  onDisk(assets);
  linesOnDisk("data/journal");
  keep("created");
  await scenario.preview("the same program again", everything({}));
  await scenario.up("update", everything({ maxSize: 2048 }));
  onDisk(assets);
  keep("updated");
  await scenario.up(
    "one type for another",
    everything({ maxSize: 2048, website: address }),
  );
  onDisk(assets);
  await scenario.up(
    "a new name with an alias replaces nothing",
    everything({
      maxSize: 2048,
      name: "files",
      was: "assets",
      website: address,
    }),
  );
  await scenario.up("a protected one is made", logs(7, { protect: true }));
  onDisk(assets, "data/buckets/logs.json");
  await scenario.up(
    "ignoreChanges",
    logs(30, { protect: true, ignoreChanges: ["rules[0].days"] }),
  );
  onDisk("data/buckets/logs.json");
  await scenario.refused(
    "and cannot be deleted",
    async () => {},
    /it is protected|is protected/,
  );
  await scenario.up("until it is protected no longer", logs(7, {}));
  write(byHand, { name: "by-hand", access: "public" });
  await scenario.up("get", found);
  await scenario.up("import", imported);
  await scenario.destroy("destroy");
  onDisk(byHand, "data/buckets/logs.json", "data/databases/people.json");
  keep("destroyed");
}

main();
