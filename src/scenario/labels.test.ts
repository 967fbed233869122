// What people read in place of a program's names.

import { expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { headlineWords, metricWords } from "../state/figures/headline.ts";
import { isLabelled, kindWords, seriesWords, taskWords } from "./labels.ts";

const LABELS = { gc_main: "first thread", "gc_main.cycle": "burst of work", cc: "compiler" };

test("a label stands for the name in a figure of samples, of latency and of tasks", () => {
  const label = (path: string): string => metricWords(path, LABELS).label;
  expect(label("tool_samples.gc_main.cycle.p99_ns")).toBe("burst of work: 99th percentile");
  expect(label("tool_samples.gc_main.cycle.count")).toBe("burst of work: completed");
  expect(label("latency.gc_main.max_ns")).toBe("first thread: maximum latency");
  expect(label("tasks.cc.*.involuntary_switches")).toBe("compiler: involuntary context switches");
  expect(label("tasks.cc.3.run_ns")).toBe("compiler 3: CPU time");
  expect(metricWords("tool_samples.gc_main.cycle.p99_ns").label, "without labels: the name").toBe(
    "gc_main.cycle: 99th percentile",
  );
});

test("what has no label keeps its name, and a name that every object has is no label", () => {
  expect(seriesWords(LABELS, "web_front.request")).toBe("web_front: request");
  expect(kindWords(LABELS, "constructor")).toBe("constructor");
  expect(taskWords(LABELS, "make.0")).toBe("make.0");
  expect(isLabelled(LABELS, "tool_samples.gc_main.cycle.p99_ns")).toBe(true);
  expect(isLabelled(LABELS, "groups.gc_main.usage_ns")).toBe(false);
});

test("a label from a link shows no hidden characters", () => {
  expect(kindWords({ a: "x\u202ey" }, "a")).not.toContain("\u202e");
});

test("no headline of a shipped scenario shows the name of a sample", () => {
  for (const { slug, headline, labels } of SCENARIOS)
    for (const { path, label } of headlineWords(headline, labels).filter((words) =>
      words.path.startsWith("tool_samples."),
    ))
      expect(label, slug).not.toContain(path.split(".").slice(1, -1).join("."));
});
