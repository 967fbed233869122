// The order of kernel releases, whether the page offers them by name or not.

import { expect, test } from "vitest";
import { isBefore, rungOf, VERSIONS } from "./versions.ts";

test("releases compare by their numbers, stable ones and posted patches within their branch", () => {
  expect(isBefore("3.19", "3.19-push-ipi")).toBe(true);
  expect(isBefore("6.6", "6.12")).toBe(true);
  expect(isBefore("6.12.117", "6.12")).toBe(false);
  expect(isBefore("6.12.57+deb13-amd64", "6.12.63")).toBe(true);
  expect(isBefore("2.6.32-754.el6.x86_64", "3.2")).toBe(true);
  expect(isBefore(VERSIONS.at(-1), "7.0")).toBe(false);
  expect([undefined, "none", 7].map((none) => isBefore(none, "7.0"))).toEqual([
    false,
    false,
    false,
  ]);
});

test("every release has the named one below it, a stable one only in its own branch", () => {
  for (const [release, rung] of [
    ["6.8", "6.6"],
    ["6.8.0-45-generic", "6.6"],
    ["6.12.57", "6.12"],
    ["6.12.200", "6.12.117"],
    ["6.13.1", "6.13"],
    ["6.2", "6.1"],
    ["3.19.8", "3.19"],
    ["3.19-push-ipi", "3.19-push-ipi"],
    ["4.0", "3.19"],
    ["7.2.13", "7.2"],
    ["7.3", "7.3"],
    ["2.6.10", undefined],
    ["none", undefined],
  ])
    expect([release, rungOf(release)]).toEqual([release, rung]);
  for (const version of VERSIONS) expect(rungOf(version)).toBe(version);
});
