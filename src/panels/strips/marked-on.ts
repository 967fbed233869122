// The selected wake-up as a strip's run has it, and what took most of it.

import { DELAY, SLACK, slackNs } from "../../model/causes/slack.ts";
import type { TraceStore } from "../../model/trace/trace-store.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { selectionOnStrip } from "../../state/compare/strip-selection.ts";
import type { Strip } from "../../state/shape/strip.ts";
import type { State } from "../../state/shape/state.ts";
import type { MarkedWake } from "../../timeline/index.ts";
import { markedOf } from "../../timeline/draw/marked-wake.ts";

export function markedOn(state: State, strip: Strip): MarkedWake | undefined {
  const trace = strip.run?.trace;
  return trace && markedOf(trace, selectionOnStrip(state, strip));
}

/**
 * The cause that took most of a wake-up, timer slack apart from the delay that it is no part of;
 * undefined if nothing made it late.
 */
export function mostCause(
  trace: TraceStore,
  wake: WakeRecord,
): { readonly cause: number; readonly ns: number } | undefined {
  const slack = slackNs(trace, wake);
  const totals = new Map<number, number>(
    slack === 0
      ? []
      : [
          [SLACK, slack],
          [DELAY, -slack],
        ],
  );
  for (const { cause, ns } of wake.segments) totals.set(cause, (totals.get(cause) ?? 0) + ns);
  const [most] = [...totals].sort(([, one], [, other]) => other - one);
  return most && { cause: most[0], ns: most[1] };
}
