// RT throttling: from the tick at which the RT class of a CPU has used up its runtime to the timer
// that lets it run again, hatched.

import { KIND } from "../../engine/gen/catalogue.ts";
import { formatNs, speakNs } from "../../lib/format.ts";
import type { TraceStore } from "../../model/index.ts";
import { barTop, inSight, nsPerPx, xOf } from "../plot/plot.ts";
import type { Found, Mark, Pointer, Run, Scene } from "./mark.ts";
import { cpuWords, REACH_PX } from "./mark.ts";
import type { Say } from "./row-mark.ts";
import { rowMark } from "./row-mark.ts";
import { drawStretch } from "./throttle.ts";

const KINDS = [KIND.RtThrottle, KIND.RtUnthrottle];
/** Few by nature: a period of RT throttling is a second. */
const DETAIL = { most: Infinity, beyond: "one a pixel" } as const;
/** Microseconds, in which these rows count, as ns. */
const US = 1000;

interface Stretch {
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly usedNs: number;
  readonly runtimeNs: number;
}

/**
 * Visits the stretches that touch [fromNs, toNs]; one that lasts goes up to the run's end so far.
 */
function visit(
  trace: TraceStore,
  fromNs: number,
  toNs: number,
  see: (stretch: Stretch) => void,
): void {
  const { events } = trace;
  const open = new Map<number, Omit<Stretch, "toNs">>();
  for (const row of events.rowsOf(KINDS).listIn(0, Infinity)) {
    const [cpu, ns] = [events.cpu.at(row), events.time.at(row)];
    if (events.kind.at(row) === KIND.RtThrottle) {
      open.set(cpu, {
        cpu,
        fromNs: ns,
        usedNs: events.a.at(row) * US,
        runtimeNs: events.b.at(row) * US,
      });
      continue;
    }
    const began = open.get(cpu);
    open.delete(cpu);
    if (began !== undefined && began.fromNs <= toNs && ns >= fromNs) see({ ...began, toNs: ns });
  }
  for (const began of open.values())
    if (began.fromNs <= toNs && trace.endNs >= fromNs) see({ ...began, toNs: trace.endNs });
}

function linesOf({ cpu, fromNs, toNs, usedNs, runtimeNs }: Stretch, say: Say): string[] {
  return [
    `RT throttling: no RT task may run on ${cpuWords(cpu)} for ${say(toNs - fromNs, 3)}`,
    `RT tasks used ${say(usedNs, 3)} of ${say(runtimeNs, 3)} in this period`,
  ];
}

function draw(context: CanvasRenderingContext2D, { plot, trace }: Scene): void {
  const { fromNs, toNs } = plot.viewport;
  visit(trace, fromNs, toNs, (stretch) => {
    const row = plot.rows.rowOfCpu[stretch.cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row) + row.barHeight / 2)) return;
    const left = Math.max(plot.gutter, xOf(plot, stretch.fromNs));
    const right = Math.min(plot.width, xOf(plot, stretch.toNs));
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

function hit({ trace, plot }: Scene, { cpu, ns }: Pointer): Found | undefined {
  const reach = nsPerPx(plot) * REACH_PX;
  const near: Stretch[] = [];
  visit(trace, ns - reach, ns + reach, (stretch) => {
    if (stretch.cpu === cpu) near.push(stretch);
  });
  const [first] = near;
  if (first === undefined) return undefined;
  return {
    away: 1,
    count: near.length,
    lines: linesOf(first, formatNs),
    about: { kind: KIND.RtThrottle },
  };
}

function speak({ trace }: Run, ns: number, say: (cpu: number, words: string) => void): void {
  visit(trace, ns, ns, (stretch) => say(stretch.cpu, linesOf(stretch, speakNs).join(", ")));
}

export const RT_THROTTLE: Mark = {
  id: "rt-throttle",
  plural: "stretches of RT throttling",
  short: "RT throttle",
  shortOne: "RT throttle",
  colours: ["throttled"],
  detail: DETAIL,
  ...rowMark({ kinds: KINDS, lines: (trace, row) => [cpuWords(trace.events.cpu.at(row))] }),
  count: ({ trace }, fromNs, toNs) => {
    let count = 0;
    visit(trace, fromNs, toNs, () => (count += 1));
    return count;
  },
  hit,
  speak,
  draw,
  legend: [
    {
      words: "RT throttled",
      swatch: (context, theme, width, height) => drawStretch(context, theme, 0, 0, width, height),
    },
  ],
};
