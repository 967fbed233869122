import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "./gen/scenarios.ts";
import { type Change, type FromWorker, OTHER_SIDE, type RunRequest } from "./protocol.ts";
import { DriverOnBench, loadEngine } from "./testing.ts";

beforeAll(loadEngine);

const herd: RunRequest = {
  slug: "rt-pull-herd",
  text: textOf("rt-pull-herd"),
  set: [["duration", "20ms"]],
  maxRecords: 8_000_000,
};

function textOf(slug: string): string {
  return SCENARIOS.find((scenario) => scenario.slug === slug)?.text ?? "";
}

function messages<Type extends FromWorker["type"]>(all: readonly FromWorker[], type: Type) {
  return all.filter(
    (message): message is Extract<FromWorker, { readonly type: Type }> => message.type === type,
  );
}

function run(request: RunRequest): readonly FromWorker[] {
  const bench = new DriverOnBench();
  bench.start(1, request);
  return bench.finish();
}

function report(request: RunRequest) {
  const [finished] = messages(run(request), "finished");
  if (finished === undefined) throw new Error("the run did not finish");
  return finished.report;
}

test("a run announces itself, sends its rows in time order and in full, and ends with its report", () => {
  const all = run(herd);
  expect(all[0]?.type).toBe("meta");
  expect(all.at(-1)?.type).toBe("finished");
  const times = messages(all, "chunk").flatMap((chunk) => [...chunk.trace.time]);
  expect(times.length).toBe(report(herd).records);
  expect(times.every((time, row) => row === 0 || time >= (times[row - 1] ?? Infinity))).toBe(true);
});

test("the segments of every wake-up sum to its latency, across chunks", () => {
  const chunks = messages(run(herd), "chunk");
  const lengths = chunks.flatMap((chunk) => [...chunk.wakes.segmentNs]);
  const ends = chunks.flatMap((chunk) => [...chunk.wakes.segmentsEnd]);
  const latencies = chunks.flatMap((chunk) => [...chunk.wakes.latency]);
  expect(latencies.length).toBeGreaterThan(1000);
  latencies.forEach((latency, wake) => {
    const segments = lengths.slice(wake === 0 ? 0 : ends[wake - 1], ends[wake]);
    expect(segments.reduce((sum, ns) => sum + ns, 0)).toBe(latency);
  });
});

test("every column of a chunk leaves with it", () => {
  const bench = new DriverOnBench();
  bench.start(1, herd);
  bench.finish().forEach((message, index) => {
    if (message.type !== "chunk") return;
    const columns = [
      ...Object.values({ ...message.trace }),
      ...Object.values({ ...message.wakes }),
    ];
    expect(bench.transfers[index]).toEqual(columns.map((column) => column.buffer));
  });
});

test("twice the same run gives the same digest; without its rows too; another seed another one", () => {
  const digest = report(herd).digest;
  expect(report(herd).digest).toBe(digest);
  expect(report({ ...herd, trace: "none" }).digest).toBe(digest);
  expect(report({ ...herd, set: [...herd.set, ["seed", 8]] }).digest).not.toBe(digest);
});

test("a run without its rows sends none", () => {
  expect(messages(run({ ...herd, trace: "none" }), "chunk")).toEqual([]);
});

test("a newer run silences an older one, and a cancelled run says nothing more", () => {
  const bench = new DriverOnBench();
  bench.start(1, herd);
  bench.step();
  bench.start(2, herd);
  const before = bench.messages.length;
  bench.finish();
  const later = bench.messages.slice(before);
  expect(later.every((message) => "run" in message && message.run === 2)).toBe(true);
  expect(messages(later, "finished")).toHaveLength(1);

  bench.start(3, herd);
  bench.step();
  const told = bench.messages.length;
  bench.driver.handle({ type: "cancel", run: 3 });
  bench.finish();
  expect(bench.messages.length).toBe(told);
});

test("an invalid scenario is the person's error, with its place", () => {
  const all = run({ ...herd, text: herd.text.replace('"cpus": 40', '"cpus": 100000') });
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({ type: "scenario_error", run: 1, error: { path: "machine.cpus" } });
  expect(messages(all, "scenario_error")[0]?.error.line).toBeGreaterThan(1);
});

test("a record limit ends the run with a partial report", () => {
  const partial = report({ ...herd, maxRecords: 5000 });
  expect(partial.complete).toBe(false);
  expect(partial.records).toBeLessThan(6000);
});

/** An hour of a machine that is ticked and does nothing else: hardly a record, and many steps. */
const quiet: RunRequest = {
  slug: "lab",
  text: JSON.stringify({
    schema: 1,
    title: "an hour",
    seed: 1,
    duration: "3600s",
    machine: { cpus: 8, topology: "1x8", costs: "zero" },
    kernel: { version: "4.15" },
    workload: { tasks: { hog: { loop: -1, run: 3_600_000_000 } } },
  }),
  set: [],
  maxRecords: 8_000_000,
};

test("a run that writes little pauses all the same, says how far it is, and hears its cancel", () => {
  const bench = new DriverOnBench();
  bench.start(1, quiet);
  for (let piece = 0; piece < 30; piece += 1) expect(bench.step()).toBe(true);
  expect(messages(bench.messages, "finished")).toEqual([]);
  const reached = messages(bench.messages, "chunk").map((message) => message.reached.simulatedNs);
  expect(reached.length, "how far it is, is told with every piece").toBeGreaterThan(5);
  expect(reached.every((ns, at) => at === 0 || ns > (reached[at - 1] ?? Infinity))).toBe(true);
  bench.driver.handle({ type: "cancel", run: 1 });
  const told = bench.messages.length;
  bench.finish();
  expect(bench.messages.length).toBe(told);
});

test("a run whose limit of steps comes long before its end tells how near that is", () => {
  const bench = new DriverOnBench();
  bench.start(1, {
    ...quiet,
    text: quiet.text.replace(/"hog":.*?\}/, '"hog":{"stamp":"a"}'),
    maxRecords: 2_000,
  });
  const all = bench.finish();
  const [finished] = messages(all, "finished");
  expect(finished?.limit).toBe("steps");
  const shares = messages(all, "chunk").map((message) => message.reached.shareDone);
  expect(shares.every((share, at) => at === 0 || share >= (shares[at - 1] ?? Infinity))).toBe(true);
  expect(shares.at(-1)).toBe(10_000);
  expect(finished?.report.simulated_ns).toBeLessThan(3_600_000_000_000);
});

test("a slow clock makes the pieces small, a fast one large, and neither changes the result", () => {
  const digests = [0, 1_000].map((msPerLook) => {
    const bench = new DriverOnBench(msPerLook);
    bench.start(1, herd);
    const [finished] = messages(bench.finish(), "finished");
    return [finished?.report.digest, bench.pieces] as const;
  });
  expect(digests[0]?.[0]).toBe(digests[1]?.[0]);
  expect(digests[1]?.[1]).toBeGreaterThan(4 * (digests[0]?.[1] ?? Infinity));
});

test("the limit that ended a run is named", () => {
  expect(messages(run({ ...herd, maxRecords: 5000 }), "finished")[0]?.limit).toBe("records");
  expect(messages(run(herd), "finished")[0]?.limit).toBeUndefined();
});

test("a panic names scenario, seed and replay command, and poisons the driver", () => {
  const bench = new DriverOnBench();
  bench.start(1, herd);
  bench.step();
  bench.driver.handle({ type: "crash" });
  bench.finish();
  const [fault] = messages(bench.messages, "fault");
  expect(fault?.message).toContain("crashed on request of a test");
  expect(fault?.message).toContain("scenario rt-pull-herd, seed 7");
  expect(fault?.replay).toContain("schedscope run rt-pull-herd");
  const told = bench.messages.length;
  bench.start(2, herd);
  bench.finish();
  expect(bench.messages.length).toBe(told);
});

test("the engine waits while the page has not dealt with its chunks, and goes on where it stood", () => {
  const bench = new DriverOnBench();
  bench.takes = false;
  const long: RunRequest = { ...herd, set: [["duration", "80ms"]] };
  bench.start(1, long);
  const sent = messages(bench.finish(), "chunk");
  const before = sent.length;
  // The rows of twelve of the largest chunks, and the rest in the last chunk.
  const rows = sent.reduce((sum, { trace }) => sum + trace.time.length, 0);
  expect(rows).toBeGreaterThan(11 * 65_536);
  expect(rows).toBeLessThan(14 * 65_536);
  expect(messages(bench.messages, "finished")).toEqual([]);
  bench.takes = true;
  for (let chunk = 0; chunk < before; chunk += 1) bench.driver.handle({ type: "taken", run: 1 });
  expect(messages(bench.finish(), "finished")[0]?.report.digest).toBe(report(long).digest);
});

/** Two CPUs with a cache each, whose tasks wake each other and use two fifths of them. */
const wanderer: RunRequest = {
  slug: "polling-or-halt",
  text: SCENARIOS.find((scenario) => scenario.slug === "polling-or-halt")?.text ?? "",
  set: [["machine.topology", "2x1"]],
  maxRecords: 8_000_000,
};

test("every switch of the running kernel makes another run from the instant at which it is written", () => {
  const digestWith = (...changes: readonly Change[]): string =>
    report({ ...wanderer, changes }).digest;
  const at = 30_000_000;
  const digests = [
    digestWith(),
    digestWith([at, "kernel.ttwu_queue", "off"]),
    digestWith([at, "kernel.sched_rt_runtime_us", 100]),
    digestWith(
      [at, "kernel.sched_rt_runtime_us", 20_000],
      [at, "kernel.sched_rt_period_us", 100_000],
    ),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(
    digestWith([at, "kernel.ttwu_queue", "cross_llc"]),
    "the rule in force, written again",
  ).toBe(digests[0]);
  const strict: RunRequest = {
    ...wanderer,
    set: [...wanderer.set, ["kernel.sched_rt_runtime_us", 1_000]],
  };
  const lifted = report({ ...strict, changes: [[1_000_000, "kernel.sched_rt_runtime_us", "-1"]] });
  expect(lifted.digest, "-1 lifts the limit before it is reached").not.toBe(report(strict).digest);
});

test("a slice of the bandwidth written to the running kernel hands quota out in other pieces from then on", () => {
  const SLICE = "kernel.cfs_bandwidth_slice_us";
  const threads: RunRequest = {
    slug: "quota-32-threads",
    text: SCENARIOS.find((scenario) => scenario.slug === "quota-32-threads")?.text ?? "",
    set: [["duration", "400ms"]],
    maxRecords: 8_000_000,
  };
  const at = 200_000_000;
  const locks = (...changes: readonly Change[]): number =>
    report({ ...threads, changes }).metrics.groups?.app?.lock_acquisitions ?? 0;
  expect(locks([at, SLICE, 500])).toBeGreaterThan(1.5 * locks());
  expect(locks([at, SLICE, 5000]), "the slice in force, written again").toBe(locks());
  for (const slice of ["0", "5ms"]) {
    const refused = messages(
      run({ ...threads, changes: [[at, SLICE, slice]] }),
      "scenario_error",
    )[0]?.error;
    expect(refused).toMatchObject({ path: SLICE });
  }
});

test("a value the running kernel does not take is refused by the knob's name, and the run ends there", () => {
  for (const [path, value, words] of [
    ["kernel.sched_rt_runtime_us", 1_000_001, "longer than the period"],
    ["kernel.sched_rt_period_us", 900_000, "longer than the period"],
    ["kernel.ttwu_queue", "all_remote", 'cannot be switched to "all_remote"'],
    ["kernel.preempt", "dynamic-full", "cannot switch it while it runs"],
    ["kernel.hz", 250, "a change restarts the run"],
  ] as const) {
    const all = run({ ...herd, changes: [[1_000_000, path, value]] });
    expect(messages(all, "scenario_error")[0]?.error).toMatchObject({
      path,
      message: expect.stringContaining(words) as string,
    });
    expect(messages(all, "finished"), path).toEqual([]);
  }
});

test("a refused write says what the command says of it, and a run from the start shows what came before", () => {
  const worker: RunRequest = {
    slug: "rt-fifo-preempt",
    text: textOf("rt-fifo-preempt"),
    set: [],
    maxRecords: 1_000_000,
  };
  const cases: readonly (readonly [RunRequest, Change, message: string, expected: string])[] = [
    [herd, [1_000_000, "kernel.rt_push_ipi", "banana"], "banana", '"on"'],
    [
      worker,
      [1_306_876, 'tasks."worker.0".wake', "signal"],
      "does not sleep by a timer",
      "an instant in a sleep",
    ],
    [
      worker,
      [1_306_876, 'tasks."worker.0".policy', "SCHED_BANANA"],
      "is no policy",
      "SCHED_FIFO 50",
    ],
    [worker, [1_306_876, 'tasks."worker.9".cpus', "0"], "the run has no task", "a name of"],
  ];
  for (const [request, change, message, expected] of cases) {
    const all = run({ ...request, changes: [change] });
    const [told] = messages(all, "scenario_error");
    expect(told?.error.message, change[1]).toContain(message);
    expect(told?.error.expected, change[1]).toContain(expected);
    const rows = messages(all, "chunk").flatMap(({ trace }) => [...trace.time]);
    expect(rows.length, change[1]).toBeGreaterThan(10);
    expect(Math.max(...rows), change[1]).toBeLessThanOrEqual(change[0]);
  }
});

test("a live switch written in mid-run leaves what came before as it was, and makes another run from there", () => {
  const changed: RunRequest = { ...herd, changes: [[10_000_000, "kernel.rt_push_ipi", "on"]] };
  const rowsBefore = (request: RunRequest): readonly number[] =>
    messages(run(request), "chunk").flatMap(({ trace }) =>
      [...trace.time].filter((ns) => ns < 10_000_000),
    );
  expect(rowsBefore(changed)).toEqual(rowsBefore(herd));
  const digests = [
    report(herd),
    report({ ...herd, set: [...herd.set, ["kernel.rt_push_ipi", "on"]] }),
    report(changed),
  ].map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(3);
  expect(report(changed).digest, "the same twice").toBe(digests[2]);
  expect(report(changed).complete).toBe(true);
});

/** The instants at which most rows were written, busiest first. */
function busyInstants(all: readonly FromWorker[], count: number): readonly number[] {
  const rows = new Map<number, number>();
  for (const { trace } of messages(all, "chunk"))
    for (const ns of trace.time) rows.set(ns, (rows.get(ns) ?? 0) + 1);
  return [...rows]
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([ns]) => ns);
}

test("what is written at a crowded instant comes after all of it, and a run that ends there has all of it, wherever the clock made pauses", () => {
  // All 64 timers expire at once and nothing costs anything: hundreds of steps at one instant, more
  // than the shortest piece has.
  const crowd: RunRequest = {
    ...herd,
    set: [
      ["duration", "3ms"],
      ["machine.cpus", 64],
      ["machine.costs", "zero"],
      ["workload.cyclictest.phase_window", "0us"],
    ],
  };
  const under = (msPerLook: number, request: RunRequest) => {
    const bench = new DriverOnBench(msPerLook);
    bench.start(1, request);
    return { finished: messages(bench.finish(), "finished")[0], pieces: bench.pieces };
  };
  for (const ns of busyInstants(run(crowd), 5)) {
    const changed: RunRequest = { ...crowd, changes: [[ns, "kernel.sched_rt_runtime_us", 1]] };
    const [fast, slow] = [under(0, changed), under(10_000, changed)];
    expect(slow.pieces).toBeGreaterThan(fast.pieces);
    expect(slow.finished?.report.digest).toBe(fast.finished?.report.digest);
    const [whole, pieces] = [0, 10_000].map((ms) => under(ms, { ...crowd, untilNs: ns }).finished);
    expect(whole?.limit).toBe(OTHER_SIDE);
    expect(whole?.report).toMatchObject({ simulated_ns: ns, complete: false });
    expect(pieces?.report.digest).toBe(whole?.report.digest);
  }
});

test("writes to tasks make other runs from their instant on, and what came before is as it was", () => {
  const at = 10_000_000;
  const changes: readonly Change[] = [
    [at, 'tasks."rt_noise.0".cpus', "0-3"],
    [at, 'tasks."cyclictest.3".policy', "SCHED_FIFO 20"],
  ];
  const before = (request: RunRequest): readonly number[] =>
    messages(run(request), "chunk").flatMap(({ trace }) => [...trace.time].filter((ns) => ns < at));
  const digests = changes.map((change) => {
    const changed = { ...herd, changes: [change] };
    expect(before(changed), change[1]).toEqual(before(herd));
    expect(
      messages(run(changed), "meta")[0]?.meta.tasks.at(-1)?.name,
      "its CPUs have stoppers",
    ).toBe("migration.39");
    expect(report(changed).digest, "the same twice").toBe(report(changed).digest);
    return report(changed).digest;
  });
  expect(new Set([...digests, report(herd).digest]).size).toBe(3);
  const nobody: Change = [at, 'tasks."nobody".cpus', "0"];
  expect(messages(run({ ...herd, changes: [nobody] }), "scenario_error")[0]?.error.path).toBe(
    nobody[1],
  );
});
