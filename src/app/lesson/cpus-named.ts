// What a word of a lesson names in the runs on screen.

import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import type { NamedWord } from "../../state/lessons/words.ts";
import { SIDES, type PerSide } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import { emphasisIn } from "../../state/steps/emphasis.ts";
import { cpusWhere, tasksCalled } from "../../state/steps/step-moments.ts";
import { cpuList } from "../../scenario/step.ts";

/**
 * CPUs of both sides in view, ascending; none where all are meant, and where the name is not there.
 */
export function cpusNamed(
  runs: PerSide<Run> | undefined,
  view: Viewport,
  { kind, name }: Pick<NamedWord, "kind" | "name">,
): readonly number[] {
  if (runs === undefined) return [];
  const traces = SIDES.map((side) => runs[side].trace);
  const ofEach = (cpusOf: (trace: TraceStore) => Iterable<number>): readonly number[] =>
    [...new Set(traces.flatMap((trace) => [...cpusOf(trace)]))].sort((one, other) => one - other);
  if (kind === "task") return ofEach((trace) => cpusOfTask(trace, name, view));
  if (kind === "at") return ofEach((trace) => cpusWhere(name, trace, view.fromNs, view.toNs));
  const named = (each: NamedWord["kind"]): string | undefined => (kind === each ? name : undefined);
  const focus = {
    lanes: cpuList(named("cpu")),
    lock: named("lock"),
    group: named("group"),
    wakeup: undefined,
  };
  return emphasisIn({ focus }, traces, view).lanes;
}

/** The CPUs on which a task, or a task of that kind, runs in view. */
function cpusOfTask(
  trace: TraceStore,
  name: string,
  { fromNs, toNs }: Viewport,
): readonly number[] {
  const tasks = tasksCalled(trace, name);
  const runsOn = (lane: TraceStore["lanes"][number]): boolean => {
    for (let index = Math.max(0, lane.indexAt(fromNs)); index < lane.count; index += 1) {
      const slice = lane.slice(index, trace.endNs);
      if (slice.fromNs >= toNs) return false;
      if (slice.task !== undefined && slice.toNs > fromNs && tasks?.has(slice.task) === true)
        return true;
    }
    return false;
  };
  return trace.lanes.filter(runsOn).map(({ cpu }) => cpu);
}
