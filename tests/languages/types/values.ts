// What a schema says of a property, as TypeScript has it. Each line under a mark has to be wrong, and the message, or the
// place that it is about, has to name what the mark names.
import * as values from "@pulumi/values";

export const right = new values.Setting("right", {
  level: "low",
  source: ["a", "b"],
  place: { city: "Utrecht" },
  colour: "green",
  token: "secret",
  ratio: 0.5,
  members: [{ name: "first", mode: "read-write" }],
});

export const constants = new values.Setting("constants", {
  level: values.SettingLevel.High,
  source: "a",
});

// @ts-expect-error level
export const missing = new values.Setting("missing", {});

export const level = new values.Setting("level", {
  // @ts-expect-error level
  level: "medium",
});

export const place = new values.Setting("place", {
  level: "low",
  // @ts-expect-error place
  place: 1,
});

export const mode = new values.Setting("mode", {
  level: "low",
  // @ts-expect-error mode
  members: [{ name: "first", mode: "write" }],
});

export const member = new values.Setting("member", {
  level: "low",
  // @ts-expect-error name
  members: [{ mode: "read" }],
});

export const computed = new values.Setting("computed", {
  level: "low",
  // @ts-expect-error size
  size: 1,
});

// @ts-expect-error password
export const password = right.password;

const size: import("@pulumi/pulumi").Output<number> = right.size;
export { size };
