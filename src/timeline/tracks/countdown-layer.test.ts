// What a flag is waiting for, in words.

import { expect, test } from "vitest";
import type { Flag } from "../../model/index.ts";
import { NO_POINT } from "../../model/trace/flags.ts";
import { countdown } from "./countdown-layer.tsx";

const FLAG: Flag = {
  cpu: 0,
  task: 1,
  fromNs: 1_000,
  toNs: 5_000,
  lazy: true,
  upgradeNs: 4_000,
  setBy: 1,
  upgradedBy: 0,
  passed: 0,
  honouredAt: 0,
};

test("a lazy flag counts down to the tick that makes it need_resched, and then to schedule()", () => {
  expect(countdown(FLAG, 1_000)).toBe("tick in 3 µs");
  expect(countdown(FLAG, 4_000)).toBe("schedule() in 1 µs");
  expect(countdown(FLAG, 5_000)).toBeUndefined();
});

test("nothing is foretold of a flag that no preemption point acts on in this run", () => {
  const still = { ...FLAG, upgradeNs: undefined };
  expect(countdown({ ...still, honouredAt: undefined }, 2_000)).toBeUndefined();
  expect(countdown({ ...still, honouredAt: NO_POINT }, 2_000)).toBeUndefined();
});
