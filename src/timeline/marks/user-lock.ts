// Spin locks of user space: from where a task begins to spin a thin line to the CPU on which the
// holder runs or was preempted; and a padlock where a holder is preempted, with a bar for as long
// as it waits for a CPU.

import { KIND } from "../../engine/gen/catalogue.ts";
import { formatNs } from "../../lib/format.ts";
import type { TraceStore } from "../../model/index.ts";
import type { HolderOut } from "../../model/locks/user-locks.ts";
import { holderCpu, holderOut, userLockName, userSpinAt } from "../../model/locks/user-locks.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { barTop, inSight, middleOf, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { awayFromUpright } from "./arcs.ts";
import type { Mark, Pointer, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";
import { drawTether } from "./tether.ts";

/** More than so many in sight, and only holders are drawn. */
const DETAIL = { most: 300, beyond: "hidden" } as const;
/** Rows lower than this have no room for words. */
const NAMED_ROW_PX = 12;

const PARTS: RowParts = {
  kinds: [KIND.UserSpin, KIND.UserLockOut],
  lines: (trace, row, say) =>
    isOut(trace, row) ? outLines(holderOut(trace, row), trace, say) : spinLines(trace, row, say),
  away,
  reach: (trace) => ({ before: 0, after: longestOut(trace) }),
};
const OUT: Pick<RowParts, "kinds" | "reach"> = {
  kinds: [KIND.UserLockOut],
  reach: (trace) => ({ before: 0, after: longestOut(trace) }),
};

interface Outs {
  seen: number;
  longestNs: number;
  /** Rows of holders that have not run again yet. */
  open: readonly number[];
}

const outs = new WeakMap<TraceStore, Outs>();

/**
 * How long a holder of a run so far has waited for a CPU at most, ns. Each row is looked at once,
 * and again while its holder waits.
 */
function longestOut(trace: TraceStore): number {
  const known = outs.get(trace) ?? { seen: 0, longestNs: 0, open: [] };
  outs.set(trace, known);
  const rows = trace.events.rowsOf([KIND.UserLockOut]);
  const fresh = Array.from({ length: rows.count - known.seen }, (_, index) =>
    rows.at(known.seen + index),
  );
  const spans = [...known.open, ...fresh].map((row) => holderOut(trace, row));
  known.seen = rows.count;
  known.longestNs = spans.reduce(
    (longest, { fromNs, toNs }) => Math.max(longest, toNs - fromNs),
    known.longestNs,
  );
  known.open = spans.filter(({ toNs }) => toNs >= trace.endNs).map(({ row }) => row);
  return known.longestNs;
}

function isOut({ events }: TraceStore, row: number): boolean {
  return events.kind.at(row) === KIND.UserLockOut;
}

function outLines(
  { lock, holder, cpu, fromNs, toNs }: HolderOut,
  trace: TraceStore,
  say: Say,
): string[] {
  return [
    `${trace.taskName(holder)} is preempted on ${cpuWords(cpu)} and holds ${userLockName(trace, lock)}`,
    `${toNs < trace.endNs ? "runs again after" : "has waited for a CPU for"} ${say(toNs - fromNs, 3)}: who wants the lock spins`,
  ];
}

function spinLines(trace: TraceStore, row: number, say: Say): string[] {
  const { events } = trace;
  const [task, ns] = [events.b.at(row), events.time.at(row)];
  const spin = userSpinAt(trace, task, ns);
  const begins = `${trace.taskName(task)} begins to spin for ${userLockName(trace, events.a.at(row))}`;
  if (spin?.holder === undefined) return [begins];
  const since =
    spin.outRow === undefined ? "" : `, preempted ${say(ns - events.time.at(spin.outRow), 3)} ago`;
  return [begins, `held by ${trace.taskName(spin.holder)}${since}`];
}

/** Where the holder of the lock is whose spin a row begins. */
function holderOf(trace: TraceStore, row: number): number | undefined {
  const spin = userSpinAt(trace, trace.events.b.at(row), trace.events.time.at(row));
  return spin && holderCpu(trace, spin, trace.events.time.at(row));
}

function away({ trace, plot }: Scene, row: number, at: Pointer): number {
  const { events } = trace;
  const cpu = events.cpu.at(row);
  const x = xOf(plot, events.time.at(row));
  const along = Math.abs(x - at.x);
  if (isOut(trace, row)) {
    if (cpu !== at.cpu) return Infinity;
    const end = xOf(plot, holderOut(trace, row).toNs);
    return at.x >= x && at.x <= end ? 1 : Math.min(along, Math.abs(end - at.x));
  }
  if (cpu === at.cpu || along > 8) return cpu === at.cpu ? along : Infinity;
  const holder = holderOf(trace, row);
  return holder === undefined
    ? Infinity
    : awayFromUpright(x, middleOf(plot, cpu), middleOf(plot, holder), at);
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot, trace } = scene;
  const rows = rowsIn(PARTS, scene);
  const few = rows.length <= DETAIL.most;
  for (const at of few ? rows : []) {
    const holder = isOut(trace, at) ? undefined : holderOf(trace, at);
    if (holder === undefined) continue;
    drawTether(context, plot.theme, {
      x: xOf(plot, trace.events.time.at(at)),
      waiter: middleOf(plot, trace.events.cpu.at(at)),
      holder: middleOf(plot, holder),
      ink: "userSpin",
    });
  }
  const out = rowsIn(OUT, scene);
  for (const at of out.length <= DETAIL.most ? out : []) {
    const { holder, cpu, fromNs, toNs } = holderOut(trace, at);
    const row = plot.rows.rowOfCpu[cpu];
    if (row === undefined || !inSight(plot, barTop(plot, row))) continue;
    const [x, end] = [xOf(plot, fromNs), xOf(plot, toNs)];
    drawOut(context, plot.theme, x, barTop(plot, row), row.barHeight, Math.min(plot.width, end));
    if (row.barHeight < NAMED_ROW_PX || end - x < 60) continue;
    labels.add(
      `${trace.taskName(holder)} preempted with lock, ${formatNs(toNs - fromNs)}`,
      x + 12,
      barTop(plot, row),
      plot.theme.text,
      RANK.Point,
    );
  }
}

/** A padlock on the upper edge of the bar, and a line along it while the holder waits. */
function drawOut(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  x: number,
  top: number,
  height: number,
  end: number,
): void {
  const size = Math.max(3, Math.min(theme.fontPx * 0.45, height * 0.5));
  context.fillStyle = theme.lids;
  if (end > x) context.fillRect(x, top, end - x, Math.max(1.5, theme.strokePx * 0.7));
  context.fillStyle = theme.text;
  context.fillRect(x - size, top + size * 0.8, size * 2, size * 1.4);
  context.strokeStyle = theme.text;
  context.lineWidth = Math.max(1.25, theme.strokePx * 0.5);
  context.strokeRect(x - size * 0.6, top - size * 0.2, size * 1.2, size);
}

export const USER_LOCK: Mark = {
  id: "user-lock",
  plural: "spins for user locks",
  short: "user locks",
  shortOne: "user lock",
  colours: ["userSpin", "lids", "text"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "spins for this holder",
      swatch: (context, theme, width, height) =>
        drawTether(context, theme, {
          x: width / 2,
          waiter: 1,
          holder: height - 3,
          ink: "userSpin",
        }),
    },
    {
      words: "preempted with user lock",
      swatch: (context, theme, width, height) =>
        drawOut(context, theme, width / 3, height * 0.3, height, width),
    },
  ],
};
