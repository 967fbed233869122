import { expect, test } from "vitest";
import { toldApart } from "./told-apart.ts";

test("names that begin alike lose so much of their beginning that their difference is in sight", () => {
  const [own, other] = ["period_phase of pod/cron 10ms", "period_phase of pod/cron 20ms"];
  expect(toldApart(own, other, 16)).toBe("…pod/cron 10ms");
  expect(
    [toldApart(own, other, 16), toldApart(other, own, 16)].map((name) => name.slice(0, 16)),
  ).toEqual(["…pod/cron 10ms", "…pod/cron 20ms"]);
  expect(toldApart("averyverylongname1", "averyverylongname2", 10), "no word ends there").toBe(
    "…gname1",
  );
  expect(
    toldApart("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwxyz", 16),
    "the beginning of the other",
  ).toBe("…stuvwx");
});

test("a name that fits, or that differs early enough, or is the same, stays whole", () => {
  expect(toldApart("rt_push_ipi auto_gt16", "rt_push_ipi off", 18)).toBe("rt_push_ipi auto_gt16");
  expect(toldApart("cpus 80", "cpus 40", 16)).toBe("cpus 80");
  expect(toldApart("one and the same long name", "one and the same long name", 10)).toBe(
    "one and the same long name",
  );
});
