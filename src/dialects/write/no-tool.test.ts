// Nothing of a workload is left without a word: a command line, a file for rt-app, or a sentence on
// what comes closest.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { KnobValue, ResolvedKnob } from "../../engine/gen/types.ts";
import { keysOf } from "../../scenario/knob-values.ts";
import { NO_TOOL, UNBALANCED, withoutTool } from "./no-tool.ts";
import { PROGRAMS } from "./programs.ts";
import { PLAYED } from "./stand-ins.ts";

const stated = (values: Readonly<Record<string, KnobValue>>): readonly ResolvedKnob[] =>
  Object.entries(values).map(([path, value]) => ({ path, value, origin: "stated" }));

test("every generator has a command line, a file for rt-app or a sentence, and only one of them", () => {
  const generators = new Set(
    KNOBS.flatMap(({ path }) => (path.startsWith("workload.") ? keysOf(path).slice(1, 2) : [])),
  );
  // `global` and `tasks` are rt-app's own.
  for (const own of ["global", "tasks", "resources"]) generators.delete(own);
  expect(
    [...Object.keys(PROGRAMS), ...Object.keys(PLAYED), ...Object.keys(NO_TOOL)].sort(),
  ).toEqual([...generators].sort());
});

test("each is one sentence of at most 25 words", () => {
  for (const words of Object.values(NO_TOOL)) {
    expect(words).toMatch(/^No [^.]*\.$/);
    expect(words.split(" ").length, words).toBeLessThanOrEqual(25);
  }
});

test("a run tells of its own generators, and of tasks that rt-app cannot play", () => {
  const knobs = stated({ "workload.database.backends": 4, "workload.cyclictest.threads": 4 });
  const run = { cpus: 4, duration_ns: 1 };
  expect(withoutTool({}, { ...run, knobs })).toEqual([NO_TOOL["database"]]);
  expect(withoutTool({}, { ...run, knobs: stated({ "kernel.load_balance": false }) })).toEqual([
    UNBALANCED,
  ]);
  expect(withoutTool({}, { ...run, knobs: stated({ "kernel.load_balance": true }) })).toEqual([]);
  const played = { workload: { tasks: { hog: { run: 100 } } } };
  expect(withoutTool(played, { ...run, knobs: [] })).toEqual([]);
  const apart = {
    workload: { tasks: { hog: { kernel: 100, sem_post: "s" }, other: { sem_wait: "s", run: 1 } } },
  };
  expect(withoutTool(apart, { ...run, knobs: [] })).toEqual([
    expect.stringContaining("rt-app cannot work inside the kernel and hold a mutex there, and"),
  ]);
});
