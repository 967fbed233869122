// Names that engineers type, against the glossary and what is known to be missing.

import { expect, test } from "vitest";
import { findTerms } from "./find-terms.ts";
import { notSimulated } from "./tool-words.ts";

const found = (query: string): readonly string[] => findTerms(query).map(({ name }) => name);

test.each([
  ["vruntime", "vruntime"],
  ["PREEMPT_LAZY", "PREEMPT_LAZY"],
  ["CONFIG_PREEMPT_LAZY=y", "PREEMPT_LAZY"],
  ["%steal", "steal"],
  ["cpu.max.burst", "quota burst"],
  ["run queue", "run queue"],
  ["NO_DELAY_DEQUEUE", "DELAY_DEQUEUE"],
  ["what is a softirq?", "softirq"],
])("%s finds the glossary's %s", (query, name) => {
  expect(found(query)).toContain(name);
});

test("nothing typed and nonsense find no term, and a list stays short", () => {
  expect(found("")).toEqual([]);
  expect(found("bicycle")).toEqual([]);
  expect(found("preempt").length).toBeLessThan(6);
  for (const query of ["perf sched", "cpu pinning"]) expect(found(query), query).toEqual([]);
});

test("the link of a term leads to its heading on the glossary's page", () => {
  expect(findTerms("fair server")[0]).toEqual({ name: "fair server", anchor: "fair-server" });
});

test.each([
  ["%iowait", "waiting for a disk"],
  ["scx", "sched_ext"],
  ["CONFIG_SCHED_CLASS_EXT scx", "sched_ext"],
  ["cpu.uclamp.min", "uclamp"],
  ["SCHED_DEADLINE", "SCHED_DEADLINE"],
  ["CONFIG_RT_GROUP_SCHED=y", "RT_GROUP_SCHED"],
  ["/proc/sys/kernel/sched_autogroup_enabled", "autogroup"],
])("%s: the list says that %s is not simulated", (query, name) => {
  expect(notSimulated(query.split(" "))).toContain(name);
});

test("what is simulated is not said to be missing", () => {
  for (const query of [
    "vruntime",
    "cpu.max",
    "nohz_full",
    "idle",
    "SCHED_FIFO",
    "core",
    "scheduler",
  ])
    expect(notSimulated([query]), query).toEqual([]);
});
