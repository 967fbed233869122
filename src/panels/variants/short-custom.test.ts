import { expect, test } from "vitest";
import { endThatDiffers, shortCustom } from "./short-custom.ts";

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

test("names that begin alike lose so much of their beginning that their difference is in sight", () => {
  const [own, other] = ["period_phase of pod/cron 10ms", "period_phase of pod/cron 20ms"];
  expect(endThatDiffers(own, other, 16)).toBe("…pod/cron 10ms");
  expect(
    [endThatDiffers(own, other, 16), endThatDiffers(other, own, 16)].map((name) =>
      name.slice(0, 16),
    ),
  ).toEqual(["…pod/cron 10ms", "…pod/cron 20ms"]);
  expect(endThatDiffers("averyverylongname1", "averyverylongname2", 10), "no word ends there").toBe(
    "…gname1",
  );
  expect(
    endThatDiffers("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwxyz", 16),
    "the beginning of the other",
  ).toBe("…stuvwx");
});

test("a name that fits, or that differs early enough, or is the same, stays whole", () => {
  expect(endThatDiffers("rt_push_ipi auto_gt16", "rt_push_ipi off", 18)).toBe(
    "rt_push_ipi auto_gt16",
  );
  expect(endThatDiffers("cpus 80", "cpus 40", 16)).toBe("cpus 80");
  expect(endThatDiffers("one and the same long name", "one and the same long name", 10)).toBe(
    "one and the same long name",
  );
});
