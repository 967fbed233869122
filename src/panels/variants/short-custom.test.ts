import { expect, test } from "vitest";
import { shortCustom } from "./short-custom.ts";

test("a side's own words stand whole where they have room", () => {
  expect(shortCustom("rt_push_ipi on, cpus 16", "16 CPUs, pull")).toBe("rt_push_ipi on, cpus 16");
  expect(shortCustom("cpus 96", "pull")).toBe("cpus 96 (custom)");
});

test("words that have no room are cut between two knobs, never inside one, and say that there is more", () => {
  expect(shortCustom("rt_push_ipi on, cpus 16, tasks 1", "pull")).toBe(
    "rt_push_ipi on, cpus 16, …",
  );
  expect(shortCustom("rt_push_ipi auto_gt16, cpus 16", "pull")).toBe("rt_push_ipi auto_gt16, …");
  expect(shortCustom("when all-cpus-in-cyclictest, min_gap 600us, a 1", "pull")).toBe(
    "when all-cpus-in-cyclictest, …",
  );
});

test("what tells the side from the other is in sight", () => {
  const [own, other] = [
    "period_phase of pod/cron 10ms, cpus 8",
    "period_phase of pod/cron 20ms, cpus 8",
  ];
  expect(shortCustom(own, other).slice(0, 18)).not.toBe(shortCustom(other, own).slice(0, 18));
});
