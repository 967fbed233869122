// Switches written to the running kernel: a dashed line through all lanes, in neutral ink, from
// which on the kernel is another one. At the nearer edge of the picture an arrow points at a switch
// out of sight.

import { formatNs, instantText, speakNs } from "../../lib/format.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import { xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Change, Found, Mark, Pointer, Run, Scene } from "./mark.ts";
import { REACH_PX } from "./mark.ts";

const DETAIL = { most: Infinity, beyond: "hidden" } as const;
/** Width of the arrow at the edge, CSS px. */
const ARROW_PX = 8;
const NONE: readonly Change[] = [];

function changesOf({ changes }: Run): readonly Change[] {
  return changes ?? NONE;
}

function isBefore(plot: Plot, change: Change): boolean {
  return change.ns < plot.viewport.fromNs;
}

function isInView(plot: Plot, { ns }: Change): boolean {
  return ns >= plot.viewport.fromNs && ns <= plot.viewport.toNs;
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot } = scene;
  const { theme } = plot;
  const floor = plot.height - theme.fontPx;
  for (const change of changesOf(scene)) {
    if (isInView(plot, change)) {
      const x = xOf(plot, change.ns);
      drawLine(context, theme, x, 0, plot.height);
      labels.add(change.words, x + 6, floor, theme.text, RANK.Change);
    } else {
      const before = isBefore(plot, change);
      drawPointer(context, theme, before ? plot.gutter : plot.width, floor, before);
      labels.add(
        `${change.words} at ${instantText(change.ns)}`,
        before ? plot.gutter + ARROW_PX + 4 : plot.width,
        floor,
        theme.text,
        RANK.Change,
      );
    }
  }
}

function drawLine(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  from: number,
  to: number,
): void {
  context.strokeStyle = theme.text;
  context.lineWidth = Math.max(2, theme.strokePx);
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(x, to);
  context.stroke();
  context.setLineDash([]);
}

/** An arrow head at the edge, its tip towards what lies beyond. */
function drawPointer(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  edge: number,
  y: number,
  left: boolean,
): void {
  const inward = left ? ARROW_PX : -ARROW_PX;
  context.fillStyle = theme.text;
  context.beginPath();
  context.moveTo(edge, y);
  context.lineTo(edge + inward, y - ARROW_PX * 0.75);
  context.lineTo(edge + inward, y + ARROW_PX * 0.75);
  context.closePath();
  context.fill();
}

function hit(scene: Scene, { x, y }: Pointer): Found | undefined {
  const { plot } = scene;
  let best: { readonly change: Change; readonly away: number } | undefined;
  let count = 0;
  for (const change of changesOf(scene)) {
    const away = isInView(plot, change)
      ? Math.abs(xOf(plot, change.ns) - x)
      : awayFromPointer(plot, change, x, y);
    if (away > REACH_PX) continue;
    count += 1;
    if (away < (best?.away ?? Infinity)) best = { change, away };
  }
  if (best === undefined) return undefined;
  const { words, ns } = best.change;
  return {
    away: best.away,
    count,
    lines: [`written to the running kernel: ${words}`, `at ${formatNs(ns, 6)}`],
    about: { write: words },
  };
}

/** The arrow at the edge and what is written beside it. */
function awayFromPointer(plot: Plot, change: Change, x: number, y: number): number {
  const fromEdge = isBefore(plot, change) ? x - plot.gutter : plot.width - x;
  return fromEdge <= ARROW_PX + REACH_PX &&
    Math.abs(y - (plot.height - plot.theme.fontPx)) <= plot.theme.fontPx
    ? 1
    : Infinity;
}

function speak(run: Run, ns: number, say: (cpu: number, words: string) => void): void {
  for (const change of changesOf(run)) {
    if (change.ns !== ns) continue;
    for (const lane of run.trace.lanes)
      say(lane.cpu, `${change.words} is written to the running kernel at ${speakNs(change.ns, 6)}`);
  }
}

function step(run: Run, _cpu: number, ns: number, later: boolean): number | undefined {
  const instants = changesOf(run).flatMap((change) =>
    (later ? change.ns > ns : change.ns < ns) ? [change.ns] : [],
  );
  if (instants.length === 0) return undefined;
  return later ? Math.min(...instants) : Math.max(...instants);
}

export const LIVE_CHANGE: Mark = {
  id: "change",
  plural: "live changes",
  short: "live changes",
  shortOne: "live change",
  kinds: [],
  colours: ["text"],
  detail: DETAIL,
  countIn: (run, fromNs, toNs) =>
    changesOf(run).filter(({ ns }) => ns >= fromNs && ns <= toNs).length,
  count: (run, fromNs, toNs) => changesOf(run).filter(({ ns }) => ns >= fromNs && ns < toNs).length,
  draw,
  hit,
  speak,
  step,
  legend: [
    {
      words: "live change",
      swatch: (context, theme, width, height) => drawLine(context, theme, width / 2, 0, height),
    },
  ],
};
