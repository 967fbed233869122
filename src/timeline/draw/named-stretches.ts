// Stretches that carry a name: one task doing one thing, across the pieces that ticks cut it into.
// Pure.

import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../plot/timeline-props.ts";

/** One task in one state, with what is too short to be seen in between. */
export interface Stretch {
  readonly fromNs: number;
  readonly toNs: number;
  readonly state: number;
  readonly task: number | undefined;
}

/** Less of a stretch than this is not named after its task. */
const OWN_SHARE = 0.8;

/** The stretches of a lane in view, in order; pieces shorter than `unseenNs` do not end one. */
export function stretchesOf(
  lane: TraceStore["lanes"][number],
  { fromNs: viewFromNs, toNs: viewToNs }: Viewport,
  endNs: number,
  unseenNs: number,
): readonly Stretch[] {
  const found: Stretch[] = [];
  let run:
    | {
        readonly fromNs: number;
        toNs: number;
        readonly state: number;
        readonly task: number | undefined;
        ownNs: number;
      }
    | undefined;
  const close = (): void => {
    if (run !== undefined && run.ownNs >= OWN_SHARE * (run.toNs - run.fromNs)) found.push(run);
    run = undefined;
  };
  for (let index = Math.max(0, lane.indexAt(viewFromNs)); index < lane.count; index += 1) {
    const { fromNs, toNs, state, task } = lane.slice(index, endNs);
    if (fromNs >= viewToNs) break;
    if (
      run !== undefined &&
      toNs - run.toNs > unseenNs &&
      !(fromNs - run.toNs <= unseenNs && isSame(run, state, task))
    )
      close();
    if (run === undefined) run = { fromNs, toNs, state, task, ownNs: toNs - fromNs };
    else if (isSame(run, state, task)) {
      run.toNs = toNs;
      run.ownNs += toNs - fromNs;
    }
  }
  close();
  return found;
}

function isSame(run: Stretch, state: number, task: number | undefined): boolean {
  return run.state === state && run.task === task;
}
