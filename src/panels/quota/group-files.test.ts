import { expect, test } from "vitest";
import type { GroupMetrics } from "../../engine/gen/types.ts";
import { groupFiles, meaningOf } from "./group-files.ts";

const line = (share_bp: number): NonNullable<GroupMetrics["pressure"]>["some"] => ({
  total_ns: 1_000_500_999,
  share_bp,
  avg10_bp: 905,
  avg60_bp: 163,
  avg300_bp: 34,
});

const WITHOUT_PRESSURE = {
  usage_ns: 1_000_000_000,
  nr_periods: 20,
  nr_throttled: 12,
  throttled_ns: 340_000_500,
  throttled_local_ns: 350_000_999,
  nr_bursts: 0,
  burst_ns: 0,
} as GroupMetrics;

const GROUP = { ...WITHOUT_PRESSURE, pressure: { some: line(5000), full: line(4999) } };

/** What a line shows, by file and name. */
function shown(group: GroupMetrics, version: 1 | 2): Record<string, string> {
  return Object.fromEntries(
    groupFiles(group, version).map(({ file, name, text }) => [`${file} ${name}`, text]),
  );
}

test("a group's files have throttled periods of all, times in the units of the version, and shares of waiting", () => {
  expect(shown(GROUP, 2)).toMatchObject({
    "cpu.stat nr_throttled": "12 of 20",
    "cpu.stat.local throttled_usec": "350\u202f000",
    "cpu.pressure some": "50.00 %",
    "cpu.pressure full": "49.99 %",
  });
  expect(shown(GROUP, 1)).toHaveProperty("cpu.stat.local throttled_time", "350\u202f000\u202f999");
});

test("a line of cpu.pressure is printed as the kernel prints it, its total in us", () => {
  const some = groupFiles(GROUP, 2).find(({ name }) => name === "some");
  expect(some?.printed).toBe("avg10=9.05 avg60=1.63 avg300=0.34 total=1000500");
});

test("a kernel has no figure for a line that it does not print", () => {
  const texts = shown(WITHOUT_PRESSURE, 2);
  expect([texts["cpu.pressure some"], texts["cpu.pressure full"]]).toEqual(["–", "–"]);
  const before513 = shown({ ...GROUP, pressure: { some: line(5000) } }, 2);
  expect(before513).toMatchObject({ "cpu.pressure some": "50.00 %", "cpu.pressure full": "–" });
});

test("every line of throttling and waiting says what it means", () => {
  const lines = groupFiles(GROUP, 2).filter(({ name }) => /throttled|some|full/.test(name));
  expect(lines).toHaveLength(5);
  for (const each of lines) expect(meaningOf(each), each.name).toMatch(/\.$/);
});
