import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { quotaWrites } from "../../scenario/quota-writes.ts";
import { taskWriteOf, troubleOf } from "../../scenario/task-writes.ts";
import type { State } from "../../state/shape/state.ts";
import { run } from "../../model/testing.ts";
import type { Press } from "../../timeline/index.ts";
import { changeOf, doneWords, verbsOf } from "./verbs.ts";

beforeAll(loadEngine);

/** A state of which only the runs are read. */
function stateOf(slug: string): State {
  const [trace] = run(slug, 0);
  const { shape } = trace;
  const meta = {
    cpus: trace.lanes.length,
    knobs: [],
    live: [{ path: "kernel.preempt", values: ["full", "lazy"] }],
    tasks: shape.tasks.map((task, id) => ({
      ...task,
      name: trace.taskName(id),
      cpus: "0-7",
      policy: "SCHED_OTHER",
    })),
  };
  const side = { shown: { trace, meta } };
  return { sides: { a: side, b: side } } as unknown as State;
}

function pressOn(state: State, task: boolean): Press {
  const trace = state.sides.a.shown?.trace;
  if (trace === undefined) throw new Error("no run");
  const nowhere = { kind: "press", side: "a", mark: undefined, x: 0, y: 0 } as const;
  for (const lane of trace.lanes)
    for (let index = 1; index < lane.count; index += 1) {
      const slice = lane.slice(index, trace.endNs);
      if ((slice.task !== undefined) === task && slice.fromNs > 0)
        return { ...nowhere, cpu: lane.cpu, ns: slice.fromNs, task: slice.task };
    }
  throw new Error("no such slice");
}

test("a press on a task's bar offers three writes that the kernel takes", () => {
  const state = stateOf("quota-stranded");
  const press = pressOn(state, true);
  const verbs = verbsOf(state, press);
  expect(verbs).toHaveLength(3);
  for (const { change } of verbs) {
    expect(change).toMatchObject({ atNs: press.ns, where: "both" });
    const write = taskWriteOf(change.path);
    if (write !== undefined)
      expect(troubleOf(write.what, valueText(change.value), 8)).toBeUndefined();
  }
});

test("where a group is out of quota the verbs are about its limit", () => {
  const state = stateOf("quota-stranded");
  const trace = state.sides.a.shown?.trace;
  let press: Press | undefined;
  trace?.quota.visitThrottled(0, trace.endNs, trace.endNs, (from, to, cpu) => {
    press ??= { ...pressOn(state, true), cpu, ns: Math.floor((from + to) / 2), task: undefined };
  });
  if (press === undefined) throw new Error("nothing is throttled");
  const writes = verbsOf(state, press).map(({ change }) =>
    quotaWrites([[change.atNs, change.path, change.value]]),
  );
  expect(writes.flat()).toHaveLength(3);
  expect(writes.flat()[0]?.quotaNs, "the first lifts it").toBeUndefined();
});

test("a press on a flag offers the other preemption models, one on an idle CPU nothing", () => {
  const state = stateOf("quota-stranded");
  const words = verbsOf(state, { ...pressOn(state, true), mark: "flag" }).map((each) => each.words);
  expect(words.slice(0, 2)).toEqual(["Switch preemption to full", "Switch preemption to lazy"]);
  expect(verbsOf(state, pressOn(state, false))).toEqual([]);
});

test("a drag of a bar pins the task, one of a tank's level writes its quota, and each is told in a sentence", () => {
  const state = stateOf("quota-stranded");
  const task = pressOn(state, true).task ?? 0;
  const pin = changeOf(state, { kind: "pin", side: "a", ns: 5_000_000, cpu: 3, task });
  expect(pin?.value).toBe("3");
  expect(pin && doneWords(pin)).toMatch(/^From 5 ms on, on A and B: .+CPUs 3\. Ctrl\+Z/);
  const group = state.sides.a.shown?.trace.quota.limited[0]?.info.path ?? "";
  const level = { kind: "quota", side: "a", ns: 1, group, quotaNs: 4_000_000 } as const;
  const quota = changeOf(state, level);
  expect(quota && quotaWrites([[1, quota.path, quota.value]])).toMatchObject([
    { path: group, quotaNs: 4_000_000 },
  ]);
  expect(changeOf(state, { ...level, ns: 0 }), "nothing is written at the start").toBeUndefined();
});
