// Stretches in which a group is out of quota on a CPU: hatched, with a pause sign where there is
// room.

import { KIND } from "../../engine/gen/catalogue.ts";
import { describeThrottled } from "../../model/words/describe-quota.ts";
import { barTop, inSight, nsPerPx, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Found, Mark, Pointer, Run, Scene } from "./mark.ts";
import { COUNTED_MAX, LOOKED_FOR_MAX, REACH_PX } from "./mark.ts";
import { rowMark } from "./row-mark.ts";
import { hatch } from "../draw/strokes.ts";

/**
 * From afar stretches of less than a pixel follow each other by the thousand: one mark for each
 * pixel says as much.
 */
const DETAIL = { most: Infinity, beyond: "one a pixel" } as const;

const ROWS = rowMark({
  kinds: [KIND.BwThrottle, KIND.BwUnthrottle],
  lines: (trace, row) => [trace.groupName(trace.events.a.at(row))],
});

function draw(context: CanvasRenderingContext2D, { plot, trace }: Scene): void {
  const { fromNs, toNs } = plot.viewport;
  const drawn: number[] = [];
  trace.quota.visitThrottled(fromNs, toNs, trace.endNs, (from, to, cpu) => {
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row) + row.barHeight / 2)) return;
    const left = Math.max(plot.gutter, xOf(plot, from));
    const right = Math.min(plot.width, xOf(plot, to));
    if (right <= (drawn[cpu] ?? -1)) return;
    drawn[cpu] = Math.max(right, left + 1);
    drawStretch(
      context,
      plot.theme,
      left,
      barTop(plot, row),
      Math.max(1, right - left),
      row.barHeight,
    );
  });
}

export function drawStretch(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  context.strokeStyle = context.fillStyle = theme.throttled;
  context.lineWidth = Math.max(1, theme.strokePx * 0.5);
  hatch(context, left, top, width, height);
}

/** The stretch under the pointer, or one that is narrower than the reach beside it. */
function hit({ trace, plot }: Scene, { cpu, ns }: Pointer): Found | undefined {
  const reach = nsPerPx(plot) * REACH_PX;
  let best: { readonly words: string; readonly away: number } | undefined;
  let count = 0;
  trace.quota.visitThrottled(ns - reach, ns + reach, trace.endNs, (fromNs, toNs, on, group) => {
    if (on !== cpu) return;
    count += 1;
    const inside = Math.min(Math.max(ns, fromNs), toNs);
    const away = Math.max(1, Math.abs(inside - ns) / nsPerPx(plot));
    if (away < (best?.away ?? Infinity))
      best = { words: describeThrottled(trace, { cpu, group, fromNs, toNs }, inside), away };
  });
  return best === undefined
    ? undefined
    : {
        away: Math.min(best.away, REACH_PX),
        count,
        lines: [best.words],
        about: { kind: KIND.BwThrottle },
      };
}

function speak({ trace }: Run, ns: number, say: (cpu: number, words: string) => void): void {
  trace.quota.visitThrottled(ns, ns, trace.endNs, (fromNs, toNs, cpu, group) => {
    if (fromNs <= ns && ns < Math.max(toNs, fromNs + 1))
      say(cpu, describeThrottled(trace, { cpu, group, fromNs, toNs }, ns));
  });
}

export const THROTTLE: Mark = {
  id: "throttle",
  plural: "throttled stretches",
  short: "throttled",
  shortOne: "throttled",
  colours: ["throttled"],
  detail: DETAIL,
  ...ROWS,
  countIn: ({ trace }, fromNs, toNs) => trace.quota.throttledIn(fromNs, toNs),
  count: ({ trace }, fromNs, toNs) => {
    let count = 0;
    if (trace.quota.throttledIn(fromNs, toNs) > LOOKED_FOR_MAX) return COUNTED_MAX + 1;
    trace.quota.visitThrottled(
      fromNs,
      toNs,
      trace.endNs,
      (from, to) => (count += from < toNs && to > fromNs ? 1 : 0),
    );
    return count;
  },
  hit,
  speak,
  draw,
  legend: [
    {
      words: "out of quota",
      swatch: (context, theme, width, height) => drawStretch(context, theme, 0, 0, width, height),
    },
  ],
};
