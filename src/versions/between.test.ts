// The page's comparison of two releases against the engine's.

import { expect, test } from "vitest";
import { PLACES } from "../engine/gen/version-places.ts";
import { VERSION_ROWS } from "../engine/gen/version-rows.ts";
import { numbersOf, type Numbers } from "../engine/versions.ts";
import { differences, placeOf } from "./between.ts";

function numbers(release: string): Numbers {
  const found = numbersOf(release);
  if (found === undefined) throw new Error(`${release} is no release`);
  return found;
}

test("every row has the value in a release that the engine gives it", () => {
  expect(PLACES.length).toBeGreaterThan(40);
  for (const [release, places] of PLACES)
    expect([release, VERSION_ROWS.map((row) => placeOf(row, numbers(release)))]).toEqual([
      release,
      places,
    ]);
});

test("two releases differ in the rows whose values differ, with the changes between, whichever comes first", () => {
  const found = differences(numbers("6.12.57+deb13-amd64"), numbers("6.12.117"));
  const push = found.find(({ row }) => row.name === "kernel.rt_push_ipi");
  expect([push?.from, push?.to, push?.steps.map(({ release }) => release)]).toEqual([
    "on",
    "rt_only",
    ["7.2"],
  ]);
  expect(push?.back).toBe("echo RT_PUSH_IPI > /sys/kernel/debug/sched/features");
  const early = differences(numbers("4.0"), numbers("4.1")).find(({ row }) => row === push?.row);
  expect(early?.back).toContain("> /sys/kernel/debug/sched_features");
  expect(found).toEqual(differences(numbers("6.12.117"), numbers("6.12.57")));
  expect(differences(numbers("6.8"), numbers("6.8.0-45-generic"))).toEqual([]);
});
