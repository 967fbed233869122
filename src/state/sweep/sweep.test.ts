import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import type { KnobSet } from "../../scenario/knob-sets.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import {
  exceedanceLimit,
  nextStep,
  probesLeft,
  type BisectAnswer,
  type Probe,
} from "../../scenario/bisect.ts";
import { namedLines, Outcomes, pointsOf, requestsOf } from "./plan.ts";
import type { SweepPlan, SweepResult } from "../shape/sweep.ts";
import { sweepCommands } from "./text.ts";
import {
  parseValues,
  placesOf,
  suggestedValues,
  valueAt,
  valueLabel,
  writeValues,
} from "../../scenario/sweep-values.ts";

const herd = SCENARIOS.find(({ slug }) => slug === "rt-pull-herd") ?? SCENARIOS[0];
if (herd === undefined) throw new Error("no scenario");
const knob = (path: string): NonNullable<ReturnType<typeof findKnob>> => {
  const found = findKnob(KNOBS, path);
  if (found === undefined) throw new Error(path);
  return found;
};
const PLAN: SweepPlan = {
  path: "machine.cpus",
  values: [16, 24],
  metrics: ["rq_lock.max_waiters"],
  variants: herd.variants.slice(0, 2).map(({ name }) => name),
  seedFrom: 3,
  seeds: 2,
};

test("what both sides share stands behind the name of each line, even over what its variant sets; the swept knob does not", () => {
  const common: KnobSet = [
    ["kernel.rt_push_ipi", "on"],
    ["machine.cpus", 80],
    ["machine.idle", "poll"],
    ["seed", 9],
  ];
  expect(namedLines(herd, PLAN, common).map(({ name }) => name)).toEqual([
    "pull, RT_PUSH_IPI on, idle loop poll",
    "push by IPI, idle loop poll",
  ]);
  expect(namedLines(herd, PLAN, []).map(({ name }) => name)).toEqual(PLAN.variants);
});

describe("values as people write them", () => {
  test("ranges hold both ends, and a value written twice is swept once", () => {
    expect(parseValues(knob("machine.cpus"), "4, 8..10, 9")).toEqual({
      ok: true,
      values: [4, 8, 9, 10],
    });
  });

  test("the part that cannot be read is named, with what was expected", () => {
    expect(parseValues(knob("machine.cpus"), "4, many")).toMatchObject({ ok: false, item: "many" });
    expect(parseValues(knob("machine.cpus"), "1..200,".repeat(100_000))).toMatchObject({
      ok: false,
      expected: "at most 200 values",
    });
    expect(parseValues(knob("machine.cpus"), "1..999999999")).toMatchObject({ ok: false });
    expect(parseValues(knob("kernel.hz"), " ,")).toMatchObject({
      ok: false,
      expected: "at least one value",
    });
    expect(parseValues(knob("machine.cpus"), "8..4")).toEqual({
      ok: false,
      item: "8..4",
      expected: "4..8, the lesser number first",
    });
    expect(parseValues(knob("machine.cpus"), "900..1025")).toMatchObject({
      ok: false,
      item: "1025",
      expected: "a whole number from 1 to 1024",
    });
  });

  test("a quota may be written without its period, and is not given one; what is suggested for it can be read again", () => {
    const quota = knob("cgroups.web.cpu_max");
    expect(parseValues(quota, "50 ms, 40000 200000, 30000, max")).toEqual({
      ok: true,
      values: ["50000", "40000 200000", "30000", "max"],
    });
    expect(parseValues(quota, "0.5ms")).toMatchObject({ ok: false, item: "0.5ms" });
    expect(suggestedValues(quota, "10000 50000")).toEqual([
      "2500",
      "5000",
      "10000",
      "20000",
      "40000",
    ]);
    expect(writeValues(quota, ["2500", "5000", "40000 50000"])).toBe("2.5 ms, 5 ms, 40000 50000");
    expect(["134500", "134500 100000", "max"].map((value) => valueLabel(quota, value))).toEqual([
      "134.5 ms",
      "134.5 ms in every 100 ms",
      "max",
    ]);
    expect(placesOf(quota, ["50000", "75000"])).toEqual([50_000_000, 75_000_000]);
    expect(
      placesOf(quota, ["50000", "75000 100000"]),
      "a quota of each line's own period beside one of 100 ms",
    ).toBeUndefined();
    expect(placesOf(quota, ["50000 100000", "75000 100000"])).toEqual([50_000_000, 75_000_000]);
    expect(
      placesOf(quota, ["50000 100000", "75000 50000"]),
      "quotas of two periods",
    ).toBeUndefined();
    expect(valueAt(quota, 75_000_000, "50ms")).toBe("75000 50000");
  });

  test("what is suggested for a knob can be read again", () => {
    for (const each of KNOBS.filter(
      ({ type, path }) => type !== "text" && !path.includes("<name>"),
    )) {
      const values = suggestedValues(each, each.default);
      expect(parseValues(each, writeValues(each, values)), each.path).toMatchObject({ ok: true });
    }
  });
});

describe("the runs of a plan", () => {
  test("a sweep that is stopped has every value as often as any other, or once less", () => {
    const points = pointsOf(herd, PLAN);
    expect(points).toHaveLength(8);
    for (let length = 1; length <= points.length; length += 1) {
      const counts = [0, 1].flatMap((variant) =>
        [0, 1].map(
          (value) =>
            points
              .slice(0, length)
              .filter((point) => point.variant === variant && point.value === value).length,
        ),
      );
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  test("the swept value and the seed win over the variant and over what was turned on both sides", () => {
    const [request] = requestsOf(
      herd,
      PLAN,
      [
        ["machine.cpus", 4],
        ["seed", 99],
        ["kernel.hz", 250],
      ],
      pointsOf(herd, PLAN),
    );
    const { set, trace } = request ?? { set: [], trace: undefined };
    expect(Object.fromEntries(set)).toMatchObject({
      "machine.cpus": 16,
      seed: 3,
      "kernel.hz": 250,
    });
    expect(trace).toBe("none");
  });

  test("a quota that is swept without a period keeps each variant's own, in the runs and in their commands", () => {
    const entry = SCENARIOS.find(({ slug }) => slug === "quota-period") as ScenarioEntry;
    const path = "cgroups.app.cpu_max";
    const plan: SweepPlan = {
      ...PLAN,
      path,
      values: ["50000"],
      variants: entry.variants.map(({ name }) => name),
      seeds: 1,
    };
    const written = (common: KnobSet): readonly unknown[] =>
      requestsOf(entry, plan, common, pointsOf(entry, plan)).map(
        ({ set }) => Object.fromEntries(set)[path],
      );
    expect(written([])).toEqual(["50000 100000", "50000 10000", "50000"]);
    expect(written([[path, "30000"]])).toEqual(["50000 100000", "50000 10000", "50000"]);
    expect(written([[path, "30000 20000"]])).toEqual(["50000 20000", "50000 20000", "50000 20000"]);
    expect(sweepCommands(entry, plan, [], entry.slug)[1]).toContain(`--over '${path}=50000 10000'`);
  });

  test("the run in the middle is one whose figure is the median", () => {
    const results: SweepResult[] = [30, 10, 20].map((figure, seed) => ({
      point: { variant: 0, value: 0, seed },
      outcome: { kind: "figures", figures: [figure], digest: "" },
    }));
    const outcomes = new Outcomes(results, 1);
    expect(outcomes.spread(0, 0, 0)).toEqual({
      runs: 3,
      mean: 20,
      error: 10 / Math.sqrt(3),
      low: 10,
      median: 20,
      high: 30,
    });
    expect(outcomes.middleRun(0, 0, 0)).toEqual({ variant: 0, value: 0, seed: 2 });
    expect(outcomes.runWith(0, 0, 0, 30)).toEqual({ variant: 0, value: 0, seed: 0 });
  });

  test("of twenty seeds the range leaves out the greatest, and of 64 three at each end", () => {
    const spreadOf = (seeds: number) =>
      new Outcomes(
        Array.from({ length: seeds }, (_, seed) => ({
          point: { variant: 0, value: 0, seed },
          outcome: { kind: "figures", figures: [seed + 1], digest: "" },
        })),
        1,
      ).spread(0, 0, 0);
    expect(spreadOf(19)).toMatchObject({ low: 1, high: 19 });
    expect(spreadOf(20)).toMatchObject({ low: 1, high: 19 });
    expect(spreadOf(64)).toMatchObject({ low: 4, high: 61 });
    expect(spreadOf(1)).toMatchObject({ mean: 1, error: undefined });
  });

  test("seeds are alike once every value has all of them, each with one schedule", () => {
    const of = (digests: readonly string[]): Outcomes =>
      new Outcomes(
        digests.map((digest, nth) => ({
          point: { variant: 0, value: nth % 2, seed: Math.floor(nth / 2) },
          outcome: { kind: "figures", figures: [1], digest },
        })),
        2,
      );
    expect(of(["a", "b", "a", "b"]).seedsAlike(2, 2)).toBe(true);
    expect(of(["a", "b", "a", "c"]).seedsAlike(2, 2), "a schedule differs").toBe(false);
    expect(of(["a", "b", "a"]).seedsAlike(2, 2), "a run is missing").toBe(false);
    expect(of(["a", "b"]).seedsAlike(1, 2), "one seed").toBe(false);
  });

  test("a run cut by a limit or refused has no part in the figures", () => {
    const results: SweepResult[] = [
      { point: { variant: 0, value: 0, seed: 1 }, outcome: { kind: "limit", limit: "records" } },
    ];
    expect(new Outcomes(results, 1).spread(0, 0, 0)).toBeUndefined();
    expect(new Outcomes(results, 1).lacking(0, 0, 0)).toBe("1 of 1 seed has no figure");
  });

  test("seeds that ran and have no figure are counted beside the spread that leaves them out; those that have not run are not", () => {
    const figures = [[30, 1], [undefined, 2], [10, 3], [undefined]] as const;
    const results: SweepResult[] = figures.map((each, seed) => ({
      point: { variant: 0, value: 0, seed },
      outcome: { kind: "figures", figures: each, digest: "" },
    }));
    const outcomes = new Outcomes(results, 1);
    expect(outcomes.spread(0, 0, 0)).toMatchObject({ runs: 2, median: 10 });
    expect([0, 1].map((metric) => outcomes.lacking(metric, 0, 0))).toEqual([
      "2 of 4 seeds have no figure",
      "1 of 4 seeds has no figure",
    ]);
    expect(new Outcomes(results.slice(0, 1), 1).lacking(0, 0, 0), "one seed ran").toBe("");
  });

  test("20 values by 20 by 8 seeds: lines are made once for all requests, and every result is looked at once for all points of the charts", () => {
    const twenty = Array.from({ length: 20 }, (_, index) => index + 4);
    const plan: SweepPlan = {
      ...PLAN,
      values: twenty,
      second: { path: "kernel.hz", values: twenty },
      variants: PLAN.variants.slice(0, 1),
      seeds: 8,
    };
    const points = pointsOf(herd, plan);
    expect(points).toHaveLength(3_200);
    let asked = 0;
    const counting = new Proxy(herd, {
      get: (entry, key: keyof typeof herd) => {
        if (key === "variants") asked += 1;
        return entry[key];
      },
    });
    const requests = requestsOf(counting, plan, [], points);
    expect(asked).toBeLessThan(5);
    expect(new Set(requests.map(({ set }) => JSON.stringify(set))).size, "no run twice").toBe(
      3_200,
    );
    let looked = 0;
    const results = points.map((point): SweepResult => {
      const outcome = { kind: "figures", figures: [point.seed], digest: "" } as const;
      return {
        point,
        get outcome() {
          looked += 1;
          return outcome;
        },
      };
    });
    const outcomes = new Outcomes(results, plan.values.length);
    for (const [line] of twenty.entries())
      for (const [value] of twenty.entries()) {
        expect(outcomes.spread(0, line, value)).toMatchObject({
          runs: 8,
          low: 3,
          median: 6,
          high: 10,
        });
        expect(outcomes.middleRun(0, line, value)).toEqual({ variant: line, value, seed: 6 });
      }
    expect(looked).toBe(results.length);
  });
});

describe("a plan on the command line", () => {
  test("each variant has its command line", () => {
    const lines = sweepCommands(herd, PLAN, [["kernel.hz", 250]], herd.slug);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^schedscope sweep rt-pull-herd .*--set kernel\.hz=250 --over machine\.cpus=16,24 --seeds 3\.\.4/,
    );
  });
});

describe("the edge of a bound", () => {
  type Metric = (value: number) => number | undefined;
  const search = (
    worst: Metric,
    from: number,
    to: number,
    bound: number,
    step = 1,
  ): [BisectAnswer, Probe[]] => {
    const probes: Probe[] = [];
    for (;;) {
      const answer = nextStep({ from, to, bound, seeds: 1, step, period: "100ms" }, probes);
      if (answer.kind !== "probe") return [answer, probes];
      if (probes.length > 100) throw new Error("the search does not end");
      expect(answer.value).toBeGreaterThanOrEqual(from);
      expect(answer.value).toBeLessThanOrEqual(to);
      probes.push({ value: answer.value, worst: worst(answer.value) });
    }
  };
  const ranges = [
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 1, max: 1e9 }),
    fc.integer({ min: -10, max: 1e9 }),
  ] as const;

  test("of a metric that falls, the smallest value is found exactly", () => {
    fc.assert(
      fc.property(...ranges, (from, length, edge) => {
        const to = from + length;
        const [answer] = search((value) => (value >= edge ? 0 : 1), from, to, 0);
        if (edge > to) expect(answer.kind).toBe("neither");
        else if (edge <= from) expect(answer).toEqual({ kind: "both", value: from });
        else
          expect(answer).toMatchObject({
            kind: "smallest",
            value: edge,
            next: { value: edge - 1 },
            past: undefined,
          });
      }),
    );
  });

  test("of a metric that rises, the greatest value is found exactly", () => {
    fc.assert(
      fc.property(...ranges, (from, length, edge) => {
        const to = from + length;
        const [answer] = search((value) => (value > edge ? 1 : 0), from, to, 0);
        if (edge < from) expect(answer.kind).toBe("neither");
        else if (edge >= to) expect(answer).toEqual({ kind: "both", value: from });
        else
          expect(answer).toMatchObject({
            kind: "greatest",
            value: edge,
            next: { value: edge + 1 },
            past: undefined,
          });
      }),
    );
  });

  test("of any metric, nothing is claimed that was not tried", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), {
          minLength: 2,
          maxLength: 40,
        }),
        (figures) => {
          const [answer, probes] = search((value) => figures[value], 0, figures.length - 1, 4);
          const holds = (value: number): boolean => (figures[value] ?? 5) <= 4;
          const tried = new Set(probes.map(({ value }) => value));
          const [first, last] = [holds(0), holds(figures.length - 1)];
          expect(answer.kind).toBe(
            first ? (last ? "both" : "greatest") : last ? "smallest" : "neither",
          );
          if (answer.kind === "neither" || answer.kind === "probe") return;
          expect(tried.has(answer.value) && holds(answer.value)).toBe(true);
          if (answer.kind === "both") return;
          expect(tried.has(answer.next.value) && !holds(answer.next.value)).toBe(true);
          expect(answer.next.value).toBe(answer.value + (answer.kind === "smallest" ? -1 : 1));
        },
      ),
    );
  });

  test("a metric that rises with the knob is not said to go above everywhere: rt-pull-herd's maximum over its CPUs", () => {
    const [answer, probes] = search((cpus) => (cpus <= 8 ? 7_600 : 815_000), 4, 48, 10_000);
    expect(answer).toMatchObject({
      kind: "greatest",
      value: 8,
      next: { value: 9, worst: 815_000 },
    });
    expect(probes.slice(0, 2).map(({ value }) => value)).toEqual([48, 4]);
  });

  test("a value that keeps the bound below a greater one that fails is not called the smallest", () => {
    const question = { from: 1, to: 100, bound: 1, seeds: 1, step: 1, period: "100ms" };
    const probes: Probe[] = [
      { value: 100, worst: 0 },
      { value: 1, worst: 5 },
      { value: 50, worst: 9 },
      { value: 10, worst: 0 },
    ];
    let answer = nextStep(question, probes);
    while (answer.kind === "probe") {
      expect(answer.value).toBeGreaterThan(50);
      probes.push({ value: answer.value, worst: answer.value >= 73 ? 0 : 9 });
      answer = nextStep(question, probes);
    }
    expect(answer).toEqual({
      kind: "smallest",
      value: 73,
      next: { value: 72, worst: 9 },
      past: 10,
    });
    const ends = [probes[0], { value: 1, worst: 0 }, probes[2]].flatMap((probe) => probe ?? []);
    expect(nextStep(question, ends), "both ends hold, and a value between them does not").toEqual({
      kind: "probe",
      value: 75,
    });
  });

  test("where values lie apart, only such ones are tried, and the answer is the edge among them", () => {
    const [falls, probes] = search((value) => (value >= 57 ? 0 : 1), 20, 220, 0, 10);
    expect(probes.every(({ value }) => value % 10 === 0)).toBe(true);
    expect(falls).toMatchObject({ kind: "smallest", value: 60, next: { value: 50 } });
    expect(search((value) => (value >= 57 ? 1 : 0), 20, 220, 0, 10)[0]).toMatchObject({
      kind: "greatest",
      value: 50,
      next: { value: 60 },
    });
  });

  test("no search tries more values than were said to be left at any of its steps", () => {
    const steps = fc.constantFrom(1, 3, 10_000);
    fc.assert(
      fc.property(...ranges, fc.boolean(), steps, (from, length, edge, falls, step) => {
        const to = from + length;
        const [, probes] = search((value) => (value >= edge === falls ? 0 : 1), from, to, 0, step);
        const question = { from, to, bound: 0, seeds: 1, step, period: "100ms" };
        const said = Array.from({ length: probes.length + 1 }, (_, count) =>
          probesLeft(question, probes.slice(0, count)),
        );
        said.forEach((left, count) => expect(left).toBeGreaterThanOrEqual(probes.length - count));
        expect(said.at(-1), "none once the answer is there").toBe(0);
        said
          .slice(1)
          .forEach((left, at) => expect(left, "fewer with each value").toBeLessThan(said[at] ?? 0));
      }),
    );
  });

  test("runs without a figure do not keep a bound", () => {
    expect(search(() => undefined, 1, 8, 5)[0]).toMatchObject({ kind: "neither" });
  });

  test("twenty seeds leave at most 14 % of all seeds above the bound, with 95 % confidence", () => {
    expect(exceedanceLimit(20)).toBe(1_392);
    expect(exceedanceLimit(1)).toBe(9_500);
  });
});
