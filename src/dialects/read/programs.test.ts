import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunReport } from "../../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../../engine/testing.ts";
import { MAX_RECORDS } from "../../state/select/selectors.ts";
import { readPaste } from "./read-paste.ts";
import { preparedSides } from "../../testing/pasted.ts";
import type { Understood } from "./understood.ts";

beforeAll(loadEngine);

function understood(text: string): Understood {
  const answer = readPaste(text);
  if (answer.kind !== "understood")
    throw new Error(`${answer.kind}: ${answer.kind === "refused" ? answer.wrong : text}`);
  return answer;
}

interface Scenario {
  readonly machine: { readonly cpus: number };
  readonly cgroups?: object;
  readonly workload: {
    readonly cyclictest?: object;
    readonly tasks?: Readonly<Record<string, object>>;
  };
}

function scenarioOf(text: string): Scenario {
  const { opens } = understood(text);
  if (opens?.kind !== "scenario") throw new Error("no scenario of its own");
  preparedSides(opens);
  return JSON.parse(opens.text) as Scenario;
}

describe("rt-app", () => {
  test("comments, commas at ends and keys that come again are read as rt-app reads them", () => {
    const { workload, cgroups } = scenarioOf(`/* two runs */ {
      // end
      "tasks": { "web": { "run": 10, "sleep": 5, "run": 20, "mem": 7, "taskgroup": "/pod/web", }, },
      "global": { "duration": 2, "calibration": "CPU0" } }`);
    expect(Object.entries(workload.tasks?.["web_"] ?? {})).toEqual([
      ["run", 10],
      ["sleep", 5],
      ["run1", 20],
      ["taskgroup", "/pod/web"],
    ]);
    expect(cgroups).toEqual({ "pod/web": {} });
  });

  test("what the engine does not play is left out by name; a file of SCHED_DEADLINE tasks is refused", () => {
    const text =
      '{"tasks":{"a":{"run":1,"iorun":5,"phases":{}},"b":{"run":4,"util_min":3}},"global":{"ftrace":true}}';
    expect(understood(text).unknown.join(" ")).toMatch(/“b: util_min”.*“global: ftrace”/);
    expect(readPaste('{"tasks":{"a":{"policy":"SCHED_DEADLINE","run":1}}}')).toMatchObject({
      kind: "refused",
    });
  });

  test("tasks may have the names that programs have here", () => {
    for (const name of [
      "web",
      "pipe",
      "busy",
      "cc",
      "cyclictest",
      "gc_main",
      "softirq",
      "pool_worker",
    ])
      scenarioOf(
        JSON.stringify({
          tasks: {
            [name]: { run: 10, sleep: 10 },
            other: { instance: 0, run: 5, loop: 1 },
            parent: { run: 5, sleep: 9, fork: "other" },
          },
        }),
      );
  });

  test("any well-formed file of runs, sleeps, timers and locks becomes a scenario that runs", () => {
    const event = fc.oneof(
      fc.tuple(fc.constantFrom("run", "sleep", "runtime"), fc.integer({ min: 1, max: 100_000 })),
      fc.constant(["timer", { ref: "unique", period: 5_000 }] as const),
      fc.constantFrom(["lock", "m"] as const, ["unlock", "m"] as const, ["yield", ""] as const),
    );
    const phase = fc.tuple(fc.array(event, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }));
    const task = fc.record({
      name: fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
      phases: fc.array(phase, { minLength: 1, maxLength: 3 }),
      policy: fc.constantFrom("SCHED_OTHER", "SCHED_BATCH", "SCHED_FIFO", "SCHED_IDLE"),
    });
    // Written by hand: an object has each key once.
    const body = (events: readonly (readonly [string, unknown])[]): string =>
      [["run", 7] as const, ...events]
        .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
        .join(", ");
    fc.assert(
      fc.property(
        fc.uniqueArray(task, { minLength: 1, maxLength: 4, selector: ({ name }) => name }),
        (tasks) => {
          const written = tasks.map(({ name, phases, policy }) => {
            const inside = phases
              .map(([events, loop], at) => `"p${at}": { "loop": ${loop}, ${body(events)} },`)
              .join(" ");
            return `"${name}": { "policy": "${policy}", "priority": 5, "phases": { ${inside} } },`;
          });
          scenarioOf(`{ "tasks": { ${written.join("\n")} } }`);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** cpu.stat after 10 000 periods of 100 ms, and the limit. */
function stat(quotaMs: number, share: number, throttledMs: number, used: number): string {
  const periods = 10_000;
  const throttled = Math.round(periods * share);
  return [
    `${quotaMs * 1_000} 100000`,
    "usage_usec 1000000\nnr_periods 50\nnr_throttled 7\nthrottled_usec 12345",
    `usage_usec ${1_000_000 + Math.round(used * quotaMs * 1_000 * periods)}`,
    `nr_periods ${50 + periods}\nnr_throttled ${7 + throttled}\nthrottled_usec ${12_345 + throttled * throttledMs * 1_000}`,
  ].join("\n");
}

function runOf(text: string): RunReport {
  const bench = new DriverOnBench();
  bench.start(1, { slug: "lab", text, set: [], maxRecords: MAX_RECORDS, trace: "none" });
  const finished = bench.finish().find((message) => message.type === "finished");
  if (finished?.type !== "finished") throw new Error("the run did not finish");
  return finished.report;
}

describe("cpu.stat", () => {
  test("before and after come to the share of throttled periods, the mean time of one, and why", () => {
    const { what, follows } = understood(stat(100, 0.25, 300, 0.6));
    expect(what).toContain(
      "throttled in 25.0 % of its periods (2500 of 10000): on average for 300 ms in such a period",
    );
    expect(follows.join(" ")).toContain("At least 3 CPUs were throttled at the same time");
    expect(follows.join(" ")).toContain("60.0 % of the limit");
    expect(follows.join(" ")).toContain("the other periods used 46.67 ms on average");
  });

  test("of cgroup v1 counts nanoseconds; without a limit it says what is missing", () => {
    const { what, opens, unknown } = understood(
      "nr_periods 100\nnr_throttled 10\nthrottled_time 5000000000",
    );
    expect(what).toContain("10.0 % of its periods (10 of 100): on average for 500 ms");
    expect(opens).toBeUndefined();
    expect(unknown.join(" ")).toContain("The limit is missing");
  });

  test("is found among prompts, file names and a limit that is printed twice", () => {
    const printed = (periods: number, throttled: number): string =>
      `$ grep . cpu.max cpu.stat\ncpu.max:100000 100000\ncpu.stat:usage_usec ${periods * 50_000}\ncpu.stat:nr_periods ${periods}\ncpu.stat:nr_throttled ${throttled}\ncpu.stat:throttled_usec ${throttled * 90_000}`;
    const { what } = understood(`${printed(100, 10)}\n${printed(200, 40)}`);
    expect(what).toContain("which may use 100 ms in every 100 ms");
    expect(what).toContain("30.0 % of its periods (30 of 100): on average for 90 ms");
  });

  test("that is impossible is refused", () => {
    expect(readPaste("nr_periods 9\nnr_throttled 1\nnr_periods 5\nnr_throttled 1")).toMatchObject({
      wrong: expect.stringContaining("earlier one first") as string,
    });
    expect(readPaste("nr_periods 9\nnr_throttled 12")).toMatchObject({ kind: "refused" });
    expect(readPaste("nr_periods 0\nnr_throttled 0")).toMatchObject({ kind: "refused" });
  });

  test.each([
    [100, 0.25, 300, 0.6],
    [50, 0.1, 200, 0.2],
    [200, 0.05, 90, 0.5],
    [20, 0.3, 500, 0.5],
    [100, 1, 700, 1],
    [200, 0.25, 288, 0.3],
    // Rare bursts, between which nothing else keeps the period timer running.
    [100, 0.05, 200, 0.06],
    [100, 0.02, 300, 0.03],
    [100, 0.1, 300, 0.13],
  ])(
    "%i ms, %d throttled for %i ms: the scenario is throttled as often within a fifth and 3 points, for a time within a factor of 3; what it uses matches, or the page says by how much it does not",
    (quota, share, ms, used) => {
      const { opens, unknown } = understood(stat(quota, share, ms, used));
      if (opens?.kind !== "scenario") throw new Error("no scenario");
      const group = runOf(opens.text).metrics.groups?.["group"];
      if (group === undefined) throw new Error("no group");
      const came = group.nr_throttled / group.nr_periods;
      expect(Math.abs(came - share)).toBeLessThan(share * 0.2 + 0.03);
      const meanMs = group.throttled_ns / group.nr_throttled / 1e6;
      expect(meanMs / ms).toBeGreaterThan(1 / 3);
      expect(meanMs / ms).toBeLessThan(3);
      const usedMs = group.usage_ns / group.nr_periods / 1e6;
      const said =
        /does not match: about ([\d.]+) ms a period, ([\d.]+) % (more|less) than your/.exec(
          unknown.join(" "),
        );
      if (said === null) expect(Math.abs(usedMs / (used * quota) - 1)).toBeLessThan(0.2);
      else expect(Math.abs(usedMs / Number(said[1]) - 1)).toBeLessThan(0.15);
    },
  );

  test("of which no program here matches the use says so with both figures", () => {
    expect(understood(stat(200, 0.25, 288, 0.3)).unknown.join(" ")).toMatch(
      /about (?:79|8\d)[\d.]* ms a period, 3[\d.]+ % more than your 60 ms/,
    );
    expect(understood(stat(100, 0.25, 300, 0.6)).unknown.join(" ")).not.toContain("does not match");
  });

  test("with bursts: a count that grows proves a cpu.max.burst, which the page asks for where the text has none", () => {
    const bursts =
      "nr_periods 600\nnr_throttled 150\nthrottled_usec 9000000\nusage_usec 36000000\nnr_bursts 30\nburst_usec 1500000";
    const { follows, unknown } = understood(`cpu.max 200000 100000\n${bursts}`);
    expect(follows.join(" ")).toContain(
      "30 periods used more than the quota, by 50 ms on average: nr_bursts counts them. So the group has a cpu.max.burst.",
    );
    expect(follows.join(" ")).toContain("all 200 ms and what its burst has saved before");
    expect(follows.join(" ")).toContain("the other periods used 10 ms to 13.33 ms on average");
    expect(unknown[1]).toBe(
      "How large the burst is: add a line with cpu.max.burst. The scenario has none until then.",
    );
    const stated = understood(`cpu.max 200000 100000\ncpu.max.burst 100000\n${bursts}`);
    expect(stated.follows.join(" ")).not.toContain("So the group has");
    expect(stated.unknown.join(" ")).not.toContain("How large the burst is");
    expect(understood(bursts).unknown.join(" ")).toContain(
      "add lines with cpu.max and cpu.max.burst",
    );
    expect(
      understood("nr_periods 9\nnr_throttled 1\nnr_bursts 2\nburst_time 4000000").follows.join(" "),
    ).toContain("by 2 ms on average");
  });

  test("is read back as the offered command prints it, its burst too", () => {
    const printed = (name: string, periods: number): string =>
      `${name}usage_usec ${periods * 60_000}\n${name}nr_periods ${periods}\n${name}nr_throttled ${periods / 4}\n${name}throttled_usec ${periods * 9_000}`;
    const text = `cpu.max:200000 100000\ncpu.max.burst:100000\n${printed("cpu.stat:", 400)}\n${printed("", 1_000)}`;
    expect(understood(text).what).toContain(
      "which may use 200 ms in every 100 ms with a burst of 100 ms",
    );
    expect(understood(text).what).toContain("(150 of 600)");
    expect(understood(text).commands[0]?.line).toContain(
      "grep . cpu.max cpu.max.burst cpu.stat; sleep 60; grep . cpu.stat",
    );
  });

  test("with a burst in the limit and no count of it: what the other periods used has a least and a most", () => {
    const text =
      "cpu.max 200000 100000\ncpu.max.burst 10000\nnr_periods 600\nnr_throttled 150\nthrottled_usec 9000000\nusage_usec 36000000";
    expect(understood(text).follows.join(" ")).toContain(
      "all 200 ms and what its burst has saved before",
    );
    expect(understood(text).follows.join(" ")).toContain("used 10 ms to 13.33 ms on average");
    const none = understood(
      text.replace("cpu.max.burst 10000\n", "").replace("usage_usec", "nr_bursts 0\nusage_usec"),
    );
    expect(none.follows.join(" ")).toContain(
      "uses up all 200 ms before the end of such a period; the other periods used 13.33 ms on average",
    );
  });

  test.each([
    [100, 0.1, 200, 0.5, 50],
    [50, 0.05, 100, 0.3, 50],
    [200, 0.15, 400, 0.6, 100],
  ])(
    "%i ms, %d throttled for %i ms, %d used with a burst of %i ms: the scenario has the burst and is throttled as often",
    (quota, share, ms, used, burst) => {
      const { opens } = understood(
        `cpu.max.burst ${burst * 1_000}\n${stat(quota, share, ms, used)}`,
      );
      if (opens?.kind !== "scenario") throw new Error("no scenario");
      expect(opens.text).toContain(`"cpu_max_burst": ${burst * 1_000}`);
      const group = runOf(opens.text).metrics.groups?.["group"];
      if (group === undefined) throw new Error("no group");
      expect(Math.abs(group.nr_throttled / group.nr_periods - share)).toBeLessThan(
        share * 0.2 + 0.03,
      );
    },
  );

  test("of any counters that fit together becomes a scenario that runs", () => {
    const counters = fc.record({
      quotaMs: fc.integer({ min: 1, max: 6_000 }),
      share: fc.integer({ min: 0, max: 100 }),
      ms: fc.integer({ min: 0, max: 20_000 }),
      used: fc.integer({ min: 0, max: 120 }),
    });
    fc.assert(
      fc.property(counters, ({ quotaMs, share, ms, used }) => {
        const { opens } = understood(stat(quotaMs, share / 100, ms, used / 100));
        if (opens === undefined) throw new Error("nothing opens");
        preparedSides(opens);
      }),
      { numRuns: 60 },
    );
  });
});
