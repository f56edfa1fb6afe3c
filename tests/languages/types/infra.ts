// What the scripts of examples/infra say of themselves, as TypeScript has it. Each line under a mark has to be wrong, and the
// message, or the place that it is about, has to name what the mark names.
import * as infra from "@pulumi/infra";

export const right = new infra.Bucket("right", {
  name: "our-assets",
  access: "public",
  rules: [{ prefix: "tmp/", days: 7 }],
  website: { index: "index.html" },
});

export const address = new infra.Bucket("address", {
  name: "elsewhere",
  access: infra.BucketAccess.Private,
  website: "https://example.org",
});

// @ts-expect-error name
export const missing = new infra.Bucket("missing", {});

export const access = new infra.Bucket("access", {
  name: "our-assets",
  // @ts-expect-error access
  access: "secret",
});

export const size = new infra.Bucket("size", {
  name: "our-assets",
  // @ts-expect-error maxSize
  maxSize: "large",
});

export const days = new infra.Bucket("days", {
  name: "our-assets",
  // @ts-expect-error days
  rules: [{ prefix: "tmp/", days: "soon" }],
});

export const rule = new infra.Bucket("rule", {
  name: "our-assets",
  // @ts-expect-error days
  rules: [{ prefix: "tmp/" }],
});

export const website = new infra.Bucket("website", {
  name: "our-assets",
  // @ts-expect-error website
  website: 7,
});

export const url = new infra.Bucket("url", {
  name: "our-assets",
  // @ts-expect-error url
  url: "disk://our-assets",
});

// @ts-expect-error zone
export const zone = infra.getZone({ zone: "example.org" });

// @ts-expect-error string
export const label = infra.label(7);

const serial: Promise<number> = infra.getZone({ name: "example.org" }).then((
  zone,
) => zone.serial);
export { serial };
