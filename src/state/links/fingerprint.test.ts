// The command and the page give a result the same short name: both cover the same figures in the same order, and the list is frozen.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { METRICS_V1 } from "./fingerprint.ts";

test("the page's list of figures is the command's, in its order", () => {
  const source = readFileSync("crates/scenario/src/metrics.rs", "utf8");
  const list = /const FINGERPRINT_V1: &\[&str\] = &\[([^\]]*)\];/.exec(source)?.[1] ?? "";
  const named = [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(10);
  expect(METRICS_V1).toEqual(named);
});
