// What a look at an instant costs: only flags that are set there are made, however long another one
// lasted.

import { expect, test, vi } from "vitest";
import { FlagIndex } from "./flags.ts";

test("a flag as long as the run does not make a look at one instant a look at every flag", () => {
  const flags = new FlagIndex();
  flags.set(0, 0, 1, 0, false);
  for (let nth = 0; nth < 1_000; nth += 1) {
    flags.set(1_000 * nth + 10, 1, 2, 0, false);
    flags.clear(1_000 * nth + 20, 1, 2, 10);
  }
  flags.clear(1_000_000, 0, 1, 1_000_000);
  const made = vi.spyOn(flags as unknown as { flag: (index: number) => unknown }, "flag");
  const found = flags.list(500_015, 500_015, 1_000_000);
  expect(found.map(({ cpu, fromNs }) => [cpu, fromNs])).toEqual([
    [1, 500_010],
    [0, 0],
  ]);
  expect(made.mock.calls.length).toBe(2);
});
