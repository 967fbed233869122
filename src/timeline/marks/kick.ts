// Kicks of idle balancing: a dotted arc from the CPU whose tick asked to the idle CPU asked, and a
// burst where that woke the idle CPU.

import { KIND } from "../../engine/gen/catalogue.ts";
import { KICK_OUTCOME_ALREADY_OWNED } from "../../engine/gen/codes.ts";
import { kickWords } from "./kick-words.ts";
import { describeKick } from "../../model/words/describe-quota.ts";
import type { Kick, TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Arc, PlaceArc } from "./arcs.ts";
import { ArcMemo, arcOf, awayFromArc, bulge, hitBundle, strokeArc } from "./arcs.ts";
import type { Mark, Scene } from "./mark.ts";
import { isAside, REACH_PX } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";
import { burst } from "../draw/strokes.ts";

const BUNDLES_MAX = 24;
const BULGE_MAX_PX = 30;
/** Half the width of a burst. */
const BURST_PX = 6;
const DETAIL = { most: 120, beyond: "bundled" } as const;

function kickAt({ events, kicks }: TraceStore, row: number): Kick | undefined {
  return kicks.madeAt(events.cpu.at(row), events.time.at(row));
}

const PARTS: RowParts = {
  kinds: [KIND.NohzKick],
  reach: (trace) => ({ before: 0, after: trace.kicks.longestFlightNs }),
  places: (trace, row, see) => {
    const kick = kickAt(trace, row);
    if (kick === undefined) return;
    see(kick.cpu, kick.ns);
    if (kick.target !== undefined) see(kick.target, kick.wokeNs ?? kick.ns);
  },
  lines: (trace, row, say) => {
    const kick = kickAt(trace, row);
    return kick === undefined ? [] : describeKick(kick, say);
  },
  away: (scene, row, at) => {
    const arc = arcOf(place, scene, row);
    return arc === undefined ? Infinity : awayFromArc(arc, bend, at, REACH_PX + BURST_PX);
  },
  halfPx: BURST_PX,
  bulgePx: BULGE_MAX_PX,
};

/** A kick that found no CPU to ask is a dot on the lane of the tick. */
const place: PlaceArc = (scale, row, into) => {
  const kick = kickAt(scale.plot.trace, row);
  if (kick === undefined) return false;
  into.x0 = scale.x(kick.ns);
  into.y0 = scale.middle(kick.cpu);
  into.x1 = scale.x(kick.wokeNs ?? kick.ns);
  into.y1 = kick.target === undefined ? into.y0 : scale.middle(kick.target);
  into.faint = kick.outcome === KICK_OUTCOME_ALREADY_OWNED;
  into.own = kick.target === undefined;
  return true;
};

/** To the right, where an IPI's arc bends to the left: both are seen where a kick is an IPI. */
function bend({ x0, x1, y0, y1 }: Arc): number {
  return y0 === y1 ? (x0 + x1) / 2 : Math.max(x0, x1) + bulgeOf(y0, y1);
}

function bulgeOf(y0: number, y1: number): number {
  return bulge(y0, y1, 8, 0.14, BULGE_MAX_PX);
}

/**
 * Kicks in view up to which each says that it woke its CPU; among more the burst at its end does,
 * as the legend says.
 */
const NAMED_MAX = 4;

/** Kicks in view up to which each has its four parts named. */
const TOLD_MAX = 2;

/** Tick, IPI, the CPU that is woken, and what it found: each where and when it happens. */
function tellKick({ plot, trace }: Scene, arc: Arc, kick: Kick, labels: LabelLayer): void {
  const { theme } = plot;
  const { x0, y0, x1, y1 } = arc;
  const after = theme.fontPx * 0.7;
  const say = (words: string, x: number, y: number): void =>
    // Ranked as a finding: where the step is about one of the CPUs, the words on the others are not faint.
    labels.add(words, x, y, theme.kick, RANK.Finding);
  const [tick, ipi, woken, found] = kickWords(trace, kick);
  if (tick !== undefined) say(tick, x0 + after, y0);
  if (ipi !== undefined) say(ipi, (x0 + x1) / 2 + bulgeOf(y0, y1) / 2 + 6, (y0 + y1) / 2);
  if (woken !== undefined) say(woken, x1 + after, y1 - theme.fontPx * 0.8);
  if (found !== undefined) say(found.words, xOf(plot, found.ns) + 4, y1 + theme.fontPx * 0.8);
}

const MEMO = new ArcMemo();

function arcsIn(scene: Scene): readonly Arc[] {
  return MEMO.of(scene, () => rowsIn(PARTS, scene), place, DETAIL.most, BUNDLES_MAX).arcs;
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot, trace } = scene;
  const { theme } = plot;
  const arcs = arcsIn(scene);
  const named = arcs.length <= NAMED_MAX;
  const thin = isAside(scene, "kick");
  for (const arc of arcs) {
    drawArc(context, theme, arc, thin ? ASIDE_INK : 1);
    if (thin) continue;
    const { x0, y0, x1, y1, count } = arc;
    if (count > 1) {
      burst(context, x1, y1, Math.max(4, theme.fontPx * 0.5));
      labels.add(
        `${String(count)} kicks`,
        (x0 + x1) / 2 + bulgeOf(y0, y1) / 2 + 4,
        (y0 + y1) / 2,
        theme.kick,
        RANK.Count,
      );
      continue;
    }
    const kick = kickAt(trace, arc.row);
    if (kick?.wokeNs === undefined) continue;
    burst(context, x1, y1, Math.max(4, theme.fontPx * 0.5));
    if (arcs.length <= TOLD_MAX) tellKick(scene, arc, kick, labels);
    else if (named) labels.add("woke it", x1 + theme.fontPx * 0.7, y1, theme.kick, RANK.Kick);
  }
}

/** Share of their ink that kicks keep where the scenario speaks of none. */
const ASIDE_INK = 0.35;

function drawArc(context: CanvasRenderingContext2D, theme: TimelineTheme, arc: Arc, ink = 1): void {
  const { x0, y0, count, faint } = arc;
  context.strokeStyle = context.fillStyle = theme.kick;
  context.globalAlpha = (faint || count > 1 ? 0.6 : 1) * ink;
  context.lineWidth = Math.max(1.5, theme.strokePx * 0.6) * Math.min(3, 1 + Math.log2(count) / 4);
  context.setLineDash(faint ? [1, 5] : [2, 2.5]);
  strokeArc(context, arc, bend);
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.fillRect(x0 - 2, y0 - 2, 4, 4);
}

const ROWS = rowMark(PARTS);

export const KICKS: Mark = {
  id: "kick",
  plural: "kicks",
  short: "kicks",
  shortOne: "kick",
  colours: ["kick"],
  detail: DETAIL,
  ...ROWS,
  hit: (scene, at) =>
    ROWS.hit(scene, at) ?? hitBundle(arcsIn(scene), bend, at, "kicks", KIND.NohzKick),
  draw,
  legend: [
    {
      words: "kick, woke it",
      swatch: (context, theme, width, height) => {
        const arc: Arc = {
          x0: 3,
          y0: 3,
          x1: width - 9,
          y1: height / 2 + 1,
          count: 1,
          row: 0,
          faint: false,
        };
        drawArc(context, theme, arc);
        burst(context, arc.x1, arc.y1, height / 2 - 1);
      },
    },
  ],
};
