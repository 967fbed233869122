// The tasks of scenarios as files for rt-app.

import { beforeAll, expect, test } from "vitest";
import type { KnobValue } from "../../engine/gen/types.ts";
import { loadPasteReader, readText } from "../../testing/read-text.ts";
import { taskFiles } from "./rt-app-file.ts";

beforeAll(loadPasteReader);

const filesOf = (
  workload: object,
  knobs: Readonly<Record<string, KnobValue>> = {},
  durationNs = 200_000_000,
) => madeOf(workload, knobs, durationNs).files;

const madeOf = (
  workload: object,
  knobs: Readonly<Record<string, KnobValue>> = {},
  durationNs = 200_000_000,
) =>
  taskFiles(
    { workload },
    {
      duration_ns: durationNs,
      knobs: Object.entries(knobs).map(([path, value]) => ({ path, value, origin: "stated" })),
    },
  );

test("tasks are written in rt-app's grammar: an array of CPUs, whole seconds, nothing that only measures", () => {
  const tasks = {
    server: {
      policy: "SCHED_FIFO",
      priority: 50,
      cpus: "0-1,3",
      phases: {
        serve: {
          loop: -1,
          stamp: "x",
          run: 300,
          timer: { ref: "unique", period: 1000, mode: "absolute" },
          sample: "x",
        },
      },
    },
    batch: { instance: 2, loop: -1, run: 1000, sleep: 10 },
  };
  const [file, ...more] = filesOf({ tasks }, { "workload.global.pi_enabled": true });
  expect(more).toEqual([]);
  expect(file?.command).toEqual({ line: "sudo rt-app tasks.json", needs: "root", program: true });
  expect(file?.notes).toEqual([]);
  expect(JSON.parse(file?.text ?? "")).toEqual({
    global: { duration: 1, pi_enabled: true },
    tasks: {
      server: {
        policy: "SCHED_FIFO",
        priority: 50,
        cpus: [0, 1, 3],
        phases: {
          serve: { loop: -1, run: 300, timer: { ref: "unique", period: 1000, mode: "absolute" } },
        },
      },
      batch: { instance: 2, loop: -1, run: 1000, sleep: 10 },
    },
  });
});

test("a task with an event of ours is left out and said to be, a slice is rt-app's own word for it", () => {
  const tasks = { driver: { run: 870, irqoff: 20 }, short: { slice: 500, run: 10 } };
  const [file] = filesOf({ tasks });
  expect(JSON.parse(file?.text ?? "")).toMatchObject({
    tasks: { short: { "dl-runtime": 500, run: 10 } },
  });
  expect(file?.notes).toEqual([
    "“driver” is left out: rt-app has no irqoff.",
    "The slice of “short” needs Linux 6.12 and an rt-app of 2025.",
  ]);
  expect(filesOf({ tasks: { driver: { irqoff: 20 } } })).toEqual([]);
});

test("tasks of a group have a file of their own, which a shell within the group starts", () => {
  const tasks = { free: { run: 1 }, web: { run: 1, taskgroup: "/shop/web" } };
  expect(filesOf({ tasks }).map(({ command }) => command.line)).toEqual([
    "sudo rt-app tasks.json",
    "sudo sh -c 'echo $$ > /sys/fs/cgroup/shop/web/cgroup.procs && exec rt-app tasks-2.json'",
  ]);
  const lock = { lock: "m", run: 1, unlock: "m" };
  const locked = { ...tasks, one: lock, other: { ...lock, taskgroup: "/shop/web" } };
  expect(filesOf({ tasks: locked })).toEqual([]);
});

test("what shares something with a task that is left out has no file: rt-app would wait for it for ever", () => {
  const tasks = {
    driver: { irqoff: 20, lock: "m", unlock: "m" },
    other: { lock: "m", run: 1, unlock: "m" },
  };
  expect(filesOf({ tasks })).toEqual([]);
  expect(
    filesOf({ tasks: { a: { sem_wait: "s", runtime: 5 }, b: { sem_post: "s" } } })[0]?.text,
  ).toContain('"runtime0": 5');
});

test("what a file says comes back as the same tasks from the box", () => {
  const tasks = { a: { cpus: [0], run: 100, timer: { ref: "unique", period: 1000 } } };
  const { says, scenario_text: scenario } = readText(filesOf({ tasks })[0]?.text ?? "");
  expect(says.join(" ")).toContain("rt-app file with the task");
  expect(JSON.parse(scenario ?? "")).toMatchObject({ workload: { tasks: { a: tasks.a } } });
});

test("a task beside those that rt-app cannot play is written, and what they share something with is not", () => {
  const timer = { ref: "unique", period: 1000 };
  const tasks = {
    hog: { kernel: { us: 50 } },
    poster: { timer, sem_post: "s" },
    waiter: { sem_wait: "s", run: 2 },
    driver: { irqoff: 20, lock: "m", unlock: "m" },
    locker: { lock: "m", run: 1, unlock: "m", sem_post: "n" },
    further: { sem_wait: "n", run: 1 },
  };
  const [file] = filesOf({ tasks });
  expect(Object.keys((JSON.parse(file?.text ?? "") as { readonly tasks: object }).tasks)).toEqual([
    "poster",
    "waiter",
  ]);
  expect(file?.notes).toEqual([
    "“hog” is left out: rt-app has no kernel.",
    "“driver” is left out: rt-app has no irqoff.",
    "“locker” is left out: it shares something with a task that is.",
    "“further” is left out: it shares something with a task that is.",
  ]);
});

test("where no file can be, a sentence says why", () => {
  const tasks = {
    driver: { irqoff: 20, lock: "m", unlock: "m" },
    other: { lock: "m", run: 1, unlock: "m" },
  };
  expect(madeOf({ tasks }).missing).toEqual([
    "No file for rt-app: rt-app cannot disable interrupts, and every task here does that or waits for one that does.",
  ]);
  const apart = { a: { taskgroup: "/x", sem_wait: "s" }, b: { taskgroup: "/y", sem_post: "s" } };
  expect(madeOf({ tasks: apart })).toEqual({
    files: [],
    missing: [
      "No file for rt-app: tasks of several groups wait for each other, and a file runs in one group.",
    ],
  });
  expect(madeOf({})).toEqual({ files: [], missing: [] });
});
