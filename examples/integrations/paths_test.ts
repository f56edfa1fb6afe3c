import { deepEqual, equal } from "node:assert/strict";
import { fits, steps, touches, valueAt } from "./paths.ts";

Deno.test("paths are taken apart", () => {
  deepEqual(steps('disks[0].labels["a.b\\"c"].x'), [
    "disks",
    "0",
    "labels",
    'a.b"c',
    "x",
  ]);
  deepEqual(steps(""), []);
});

Deno.test("values are found by path", () => {
  const value = { tags: { team: "a" }, disks: [{ size: 1 }, { size: 2 }] };
  equal(valueAt(value, "tags.team"), "a");
  equal(valueAt(value, "disks[1].size"), 2);
  for (const path of ["tags.owner", "disks[2].size", "tags.team.x"]) {
    equal(valueAt(value, path), undefined, path);
  }
});

Deno.test("paths touch what they are in and what is in them", () => {
  equal(touches(["tags"], "tags.team"), true);
  equal(touches(["disks[0].size"], "disks"), true);
  equal(touches(['tags["team"]'], "tags.team"), true);
  equal(touches(["tags.owner"], "tags.team"), false);
  equal(touches(["tag"], "tags.team"), false);
  equal(touches([""], "anything"), true);
  equal(touches([], "anything"), false);
});

Deno.test("a star stands for anything", () => {
  equal(fits("aws_s3_bucket", "aws_*"), true);
  equal(fits("aws_s3_bucket", "*_bucket"), true);
  equal(fits("aws.x", "aws_x"), false);
  equal(fits("anything", "*"), true);
});
