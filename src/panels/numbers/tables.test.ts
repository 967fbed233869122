import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { GroupMetrics } from "../../engine/gen/types.ts";
import { csvOf, jsonOf } from "../../lib/csv.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { booksOf, cpuStat } from "../../state/figures/quota-books.ts";
import {
  costsTable,
  fileName,
  percentilesTable,
  quotaTable,
  spentTable,
  throttlesTable,
  waterfallTable,
} from "./tables.ts";

const rowsOf = (table: ReturnType<typeof spentTable>): Record<string, unknown>[] =>
  JSON.parse(jsonOf(table)) as Record<string, unknown>[];

test("a waterfall's file has a row for each stretch, whose lengths add up to the latency and whose shares to the whole", () => {
  const segments = [
    { cause: 0, fromNs: 1_000, ns: 300, basisPoints: 3_000 },
    { cause: 1, fromNs: 1_300, ns: 500, basisPoints: 5_000, summed: true as const },
    { cause: 0, fromNs: 1_800, ns: 200, basisPoints: 2_000 },
  ];
  const wake = {
    task: "serve.0",
    nth: 4,
    dueNs: 1_000,
    latencyNs: 1_000,
    segments,
  } as unknown as WakeRecord;
  const rows = rowsOf(waterfallTable(wake));
  expect(rows.map((row) => row["cause"])).toEqual([CAUSES[0].name, CAUSES[1].name, CAUSES[0].name]);
  expect(rows.reduce((sum, row) => sum + Number(row["length_ns"]), 0)).toBe(1_000);
  expect(rows.reduce((sum, row) => sum + Number(row["share_basis_points"]), 0)).toBe(10_000);
  expect(rows[1], "a sum of many stretches has no instant").not.toHaveProperty("from_ns");
  expect(csvOf(waterfallTable(wake)).split("\r\n")[0]).toBe(
    "task,nth,due_ns,cause,rtla,from_ns,length_ns,share_basis_points",
  );
});

test("a sample's file has its parts in the order of time, whatever kind they are", () => {
  const part = (what: "running" | "asleep", fromNs: number) => ({
    what,
    at: undefined,
    fromNs,
    ns: 10,
  });
  const sum = (what: "running" | "asleep", ...from: number[]) => ({
    what,
    at: [],
    ns: 20,
    parts: from.map((each) => part(what, each)),
  });
  const rows = rowsOf(spentTable([sum("running", 0, 20), sum("asleep", 10, 30)]));
  expect(rows.map((row) => [row["what"], row["from_ns"]])).toEqual([
    ["running", 0],
    ["asleep", 10],
    ["running", 20],
    ["asleep", 30],
  ]);
});

test("the file of percentiles lacks those that too few wake-ups do not support", () => {
  const strip = { count: 50, min: 1, p50: 2, p90: 3, p99: undefined, p999: undefined, max: 4 };
  const [a, b] = rowsOf(percentilesTable({ a: strip, b: undefined }));
  expect(a).toEqual({ side: "A", wake_ups: 50, min_ns: 1, p50_ns: 2, p90_ns: 3, max_ns: 4 });
  expect(b).toEqual({ side: "B" });
});

test("the last bar of throttles has no end", () => {
  const longest = { cpu: 3, fromNs: 100, toNs: 900 };
  const bins = [{ fromNs: 500, toNs: Infinity, count: 2, longest }] as unknown as Parameters<
    typeof throttlesTable
  >[0];
  expect(rowsOf(throttlesTable(bins))).toEqual([
    { from_ns: 500, throttles: 2, longest_ns: 800, longest_cpu: 3, longest_from_ns: 100 },
  ]);
});

test("a quota's file has the books, which balance, and cpu.stat in the units of the chosen cgroup version", () => {
  const group = {
    ...{
      granted_ns: 900,
      double_spent_ns: 0,
      adjusted_ns: 0,
      usage_ns: 500,
      pool_ns: 300,
      silo_ns: 100,
      in_walk_ns: 0,
    },
    ...{
      expired_ns: 0,
      dropped_ns: 0,
      nr_periods: 7,
      nr_throttled: 1,
      throttled_ns: 5_000,
      throttled_local_ns: 5_000,
      nr_bursts: 0,
      burst_ns: 0,
    },
  } as unknown as GroupMetrics;
  for (const version of [1, 2] as const) {
    const rows = rowsOf(quotaTable(booksOf(group), cpuStat(group, version), version));
    const total = (table: string): number =>
      rows
        .filter((row) => row["table"] === table)
        .reduce((sum, row) => sum + Number(row["value"]), 0);
    expect(total("came in, ns")).toBe(900);
    expect(total("went to, ns")).toBe(900);
    const stat = rows.filter((row) => row["table"] === `cpu.stat of cgroup v${version}`);
    expect(stat.map((row) => [row["name"], row["value"]])).toEqual(
      cpuStat(group, version).map(([name, value]) => [name, value]),
    );
  }
});

test("the file of costs has both sides' values, and how each is known", () => {
  const cost = (value: number) => [
    { name: "ipi_ns", value, provenance: "assumed" as const, doc: "An IPI." },
  ];
  expect(rowsOf(costsTable(cost(1), cost(2)))).toEqual([
    {
      name: "ipi_ns",
      value_a: 1,
      known_a: "assumed",
      value_b: 2,
      known_b: "assumed",
      what: "An IPI.",
    },
  ]);
  expect(rowsOf(costsTable(cost(1), undefined))[0]).not.toHaveProperty("value_b");
});

test("every panel with a table offers it as files; tables of a story are its text", () => {
  const files = readdirSync("src/panels", { recursive: true, encoding: "utf8" }).map(
    (path) => `src/panels/${path}`,
  );
  const panels = files.filter((path) => path.endsWith(".tsx") && !path.endsWith("Story.tsx"));
  const tabled = panels.filter((path) =>
    /<(?:table|Waterfall|SpentTable|DataTable)\b/.test(readFileSync(path, "utf8")),
  );
  expect(tabled.length).toBeGreaterThan(8);
  const offers = (path: string): boolean =>
    /<(?:TableFiles|DataTable)\b/.test(readFileSync(path, "utf8"));
  expect(tabled.filter((path) => !offers(path))).toEqual([]);
});

test("a group below another names a file, not a folder", () => {
  expect(fileName("shop/web")).toBe("shop-web");
});
