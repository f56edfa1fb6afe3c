// The life of three objects: one that another is made of, and one with secrets.
import * as denobridge from "@pulumi/denobridge";
import * as pulumi from "@pulumi/pulumi";
import { onDisk, Scenario } from "./scenario";

const script = {
  path: "record.ts",
  permissions: { allow: ["read", "write", "env"] },
};

function records(value: string) {
  return async () => {
    const first = new denobridge.Script("first", {
      ...script,
      props: { file: "first.json", value },
    });
    const second = new denobridge.Script("second", {
      ...script,
      props: {
        file: "second.json",
        value: pulumi.interpolate`${first.id} has ${
          first.state.apply((s) => s.length)
        }`,
      },
    });
    const hidden = new denobridge.Script("hidden", {
      ...script,
      props: { file: "hidden.json", secret: pulumi.secret("whisper") },
      writeOnlyProps: { password: "never kept" },
    });
    return {
      length: second.state.apply((state) => state.length),
      token: hidden.sensitiveState.apply((state) => state.token),
      version: hidden.writeOnlyPropsVersion,
    };
  };
}

async function main() {
  const scenario = await Scenario.begin("records");
  await scenario.preview("a preview makes nothing", records("one"));
  onDisk("first.json", "second.json", "hidden.json");
  await scenario.up("create", records("one"));
  onDisk("first.json", "second.json", "hidden.json");
  await scenario.preview("the same program again", records("one"));
  await scenario.preview(
    "a change reaches what is made of it",
    records("three"),
  );
  await scenario.up("update", records("three"));
  onDisk("first.json", "second.json", "hidden.json");
  await scenario.destroy("destroy");
  onDisk("first.json", "second.json", "hidden.json");
}

main();
