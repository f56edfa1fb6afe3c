// What a schema says of a property, as TypeScript has it. Each line under `@ts-expect-error` has to be wrong.
import * as values from "@pulumi/values";

export const right = new values.Setting("right", {
  level: "low",
  source: ["a", "b"],
  colour: "green",
  token: "secret",
  ratio: 0.5,
  members: [{ name: "first", mode: "read-write" }],
});

export const constants = new values.Setting("constants", {
  level: values.SettingLevel.High,
  source: "a",
});

// @ts-expect-error `level` is required.
export const missing = new values.Setting("missing", {});

// @ts-expect-error There is no such level.
export const level = new values.Setting("level", { level: "medium" });

// @ts-expect-error Neither a string nor a list of them.
export const source = new values.Setting("source", { level: "low", source: 1 });

export const mode = new values.Setting("mode", {
  level: "low",
  // @ts-expect-error There is no such mode of a member.
  members: [{ name: "first", mode: "write" }],
});

export const member = new values.Setting("member", {
  level: "low",
  // @ts-expect-error A member has a name.
  members: [{}],
});

export const computed = new values.Setting("computed", {
  level: "low",
  // @ts-expect-error What is computed cannot be set.
  size: 1,
});

// @ts-expect-error A write-only property is in no output.
export const password = right.password;

const size: import("@pulumi/pulumi").Output<number> = right.size;
export { size };
