import { expect, test } from "vitest";
import { taskPath, taskWriteName, taskWriteOf, troubleOf } from "./task-writes.ts";

test("a path names its task and what is written to it, whatever the task's name holds", () => {
  expect(taskWriteOf('tasks."web.0".cpus')).toEqual({ task: "web.0", what: "cpus" });
  expect(taskWriteOf("tasks.rt_migrate_main.policy")).toEqual({
    task: "rt_migrate_main",
    what: "policy",
  });
  expect(taskWriteOf(taskPath("a.b.12", "wake"))).toEqual({ task: "a.b.12", what: "wake" });
  for (const path of [
    "tasks.web.0.cpus",
    'tasks."web.0".colour',
    'tasks."".cpus',
    'tasks."we"b".cpus',
    "kernel.preempt",
    "tasks",
    "",
  ])
    expect(taskWriteOf(path), path).toBeUndefined();
  expect(taskWriteName('tasks."web.0".cpus')).toBe("web.0: CPUs");
  expect(taskWriteName("kernel.preempt")).toBeUndefined();
});

test("values are judged as the kernel judges them", () => {
  for (const [what, good] of [
    ["cpus", ["0", "0-3", "0-3,7", "7,0"]],
    [
      "policy",
      [
        "SCHED_FIFO 1",
        "SCHED_RR 99",
        "SCHED_OTHER",
        "SCHED_OTHER -20",
        "SCHED_OTHER 19",
        "SCHED_IDLE",
      ],
    ],
    ["wake", ["signal"]],
  ] as const)
    for (const text of good) expect(troubleOf(what, text, 8), text).toBeUndefined();
  for (const [what, bad] of [
    ["cpus", ["", "8", "0-8", "a", "1,", "0 1", "-1"]],
    [
      "policy",
      [
        "SCHED_FIFO",
        "SCHED_FIFO 0",
        "SCHED_FIFO 100",
        "SCHED_OTHER 20",
        "SCHED_OTHER -21",
        "SCHED_IDLE 1",
        "fifo 3",
        "",
      ],
    ],
    ["wake", ["", "now"]],
  ] as const)
    for (const text of bad) expect(troubleOf(what, text, 8), text).toContain("expected");
});
