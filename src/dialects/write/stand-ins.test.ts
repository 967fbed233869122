// What rt-app plays in place of the generators that model no program.

import { beforeAll, describe, expect, test } from "vitest";
import type { KnobValue } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { loadPasteReader, preparedText, readText } from "../../testing/read-text.ts";
import { ownSwitch } from "./runtime-switches.ts";
import { standIns, type StandIns } from "./stand-ins.ts";

beforeAll(() => {
  loadEngine();
  loadPasteReader();
});

const inPlaceOf = (values: Readonly<Record<string, KnobValue>>, cpus = 4): StandIns =>
  standIns({
    cpus,
    duration_ns: 1_500_000_000,
    knobs: Object.entries(values).map(([path, value]) => ({
      path: `workload.${path}`,
      value,
      origin: "stated",
    })),
  });

const tasksOf = ({ files: [file] }: StandIns): unknown =>
  (JSON.parse(file?.text ?? "{}") as { readonly tasks: unknown }).tasks;

const GC = {
  "gc_burst.threads": 8,
  "gc_burst.work": "100ms",
  "gc_burst.period": "1s",
  "gc_burst.group": "app",
};
const POOL = {
  "thread_pool.workers": 3,
  "thread_pool.rate": 4_000,
  "thread_pool.run_min": "300us",
  "thread_pool.run_max": "800us",
  "thread_pool.group": "app",
};
const WEB = {
  "web.rate": 40,
  "web.frontends": 2,
  "web.workers": 3,
  "web.hops": 2,
  "web.fanout": 2,
  "web.run_min": "1ms",
  "web.run_max": "2ms",
  "web.pinned": true,
  "web.group": "/",
};
const NOISE = {
  "rt_noise.tasks": 2,
  "rt_noise.priority": 50,
  "rt_noise.run": "30us",
  "rt_noise.when": "random",
  "rt_noise.min_gap": "600us",
};

describe("a stand-in", () => {
  test("for collectors meets at two barriers, all of its threads and the one that calls them", () => {
    expect(tasksOf(inPlaceOf(GC))).toEqual({
      gc_main: {
        loop: -1,
        timer: { ref: "unique", period: 1_000_000, mode: "absolute" },
        barrier0: "gc_start",
        barrier1: "gc_end",
      },
      gc_worker: { instance: 8, loop: -1, barrier0: "gc_start", run: 100_000, barrier1: "gc_end" },
    });
    expect(tasksOf(inPlaceOf({ ...GC, "gc_burst.threads": "auto" }, 6))).toMatchObject({
      gc_worker: { instance: 6 },
    });
  });

  test("of two generators in one group is one file, started inside the group, and says what it is not", () => {
    const { files, missing } = inPlaceOf({ ...GC, ...POOL });
    expect(missing).toEqual([]);
    expect(files.map(({ command }) => command.line)).toEqual([
      "sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && exec rt-app stand-in.json'",
    ]);
    expect(Object.keys(tasksOf({ files, missing }) as object)).toEqual([
      "gc_main",
      "gc_worker",
      "pool_client",
      "pool_worker",
    ]);
    expect(files[0]?.notes.join(" ")).toMatch(/evenly.*inside the group.*April 2026.*calibration/);
  });

  test("for a pool hands out as much work as the scenario on average", () => {
    expect(tasksOf(inPlaceOf(POOL))).toEqual({
      pool_client: {
        loop: -1,
        timer: { ref: "unique", period: 250, mode: "absolute" },
        sem_post: "tasks",
      },
      pool_worker: { instance: 3, loop: -1, sem_wait: "tasks", run: 550 },
    });
  });

  test("for a web service hands each piece to the desk that the scenario hands it to", () => {
    const tasks = tasksOf(inPlaceOf(WEB)) as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    expect(Object.keys(tasks)).toHaveLength(1 + 2 * (1 + 3));
    expect(Object.values(tasks["web_front_1"] ?? {})).toEqual([
      -1, [0], "requests_1", "desk_1_0", "desk_1_1", "done_1", "done_1", "desk_1_2", "desk_1_0", "done_1", "done_1",
    ]); // prettier-ignore
    expect(tasks["web_worker_1_2"]).toEqual({
      loop: -1,
      cpus: [3],
      sem_wait: "desk_1_2",
      run: 1_500,
      sem_post: "done_1",
    });
    const huge = inPlaceOf({ ...WEB, "web.hops": 256, "web.fanout": 3, "web.frontends": 256 });
    expect(huge).toEqual({
      files: [],
      missing: ["No file for rt-app starts the web service: it has too many steps for one."],
    });
  });

  test("for noise takes turns", () => {
    expect(tasksOf(inPlaceOf(NOISE))).toMatchObject({
      rt_noise_0: { delay: 0, timer: { period: 1_200 } },
      rt_noise_1: { delay: 600 },
    });
    expect(
      inPlaceOf({ ...NOISE, "rt_noise.when": "all-cpus-in-cyclictest" }).files[0]?.notes.join(" "),
    ).toContain("no program can choose");
  });

  test("is in the grammar that the paste box reads, and runs there", () => {
    for (const values of [GC, POOL, WEB, NOISE]) {
      const text = inPlaceOf(values).files[0]?.text ?? "";
      const fates = readText(text).lines.flatMap(({ notes }) => notes.map(({ fate }) => fate));
      expect(fates).not.toContain("left out");
      expect(preparedText(text).setup).not.toBe("");
    }
  });
});

test("a runtime's own switch has the value of the side", () => {
  const run = (path: string, value: KnobValue) => ({
    cpus: 32,
    knobs: [{ path, value, origin: "stated" as const }],
  });
  expect(ownSwitch("quota-gomaxprocs", run("workload.thread_pool.workers", 4))[0]?.line).toBe(
    "GOMAXPROCS=4 ./PROGRAM",
  );
  expect(ownSwitch("jvm-gc-threads", run("workload.gc_burst.threads", "auto"))[0]?.line).toBe(
    "java -XX:ActiveProcessorCount=32 -XX:ParallelGCThreads=32 -jar PROGRAM.jar",
  );
  expect(ownSwitch("envoy-workers", run("workload.thread_pool.workers", 3))[0]?.line).toBe(
    "envoy --concurrency 3 -c CONFIG.yaml",
  );
  expect(ownSwitch("quota-pinned", run("workload.thread_pool.workers", 3))).toEqual([]);
});
