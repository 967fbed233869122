import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { run } from "../../model/testing.ts";
import { busyIn } from "./busy.ts";

beforeAll(loadEngine);

test("of 32 CPUs those are busy that leave idle in view; on a small machine none is named", () => {
  const [trace] = run("schbench", 0);
  const view = { fromNs: 45_000, toNs: 110_000 };
  const busy = busyIn([trace], view);
  const states = (cpu: number): readonly number[] => [
    ...new Set(
      Array.from({ length: 65 }, (_, at) => trace.cpuAt(cpu, view.fromNs + at * 1_000)?.state ?? 0),
    ),
  ];
  const seen = trace.lanes.flatMap(({ cpu }) => (states(cpu).length > 1 ? [cpu] : []));
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((cpu) => !busy.includes(cpu))).toEqual([]);
  expect(busy.length).toBeLessThan(32);
  const [small] = run("quota-stranded", 0);
  expect(busyIn([small], view)).toEqual([]);
});
