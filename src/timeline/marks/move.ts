// Tasks that change their CPU: a tile on the row that is left, an arrow to the row that is joined.
// Who moved the task shows by shape and word: a pull (square, the target acts), a push (disc, the
// source acts), a migration by the scheduler's choice of CPU (ring).

import { KIND } from "../../engine/gen/catalogue.ts";
import type { Puller, WordsOf } from "../../engine/gen/codes.ts";
import {
  PULLER_FAIR_BALANCING,
  PULLER_OLD_BALANCING,
  PULLER_PULL_RT_TASK,
} from "../../engine/gen/codes.ts";
import type { TraceStore } from "../../model/index.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import { RANK } from "../draw/label-layer.ts";
import { inSight, middleOf, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { awayFromUpright } from "./arcs.ts";
import type { ColourKey, Mark, Scene } from "./mark.ts";
import { cpuWords, isAside } from "./mark.ts";
import type { RowParts } from "./row-mark.ts";
import { rowMark, rowsIn } from "./row-mark.ts";

const DETAIL = { most: 60, beyond: "smaller" } as const;
/** Rows around a migration in which what it belongs to is looked for: all of one kernel path. */
const NEAR_ROWS = 60;

type How = "pull" | "push" | "migrate";

interface Move {
  readonly how: How;
  readonly task: number;
  /** The CPU that moved the task. */
  readonly by: number;
  /** Undefined where the trace does not say. */
  readonly from: number | undefined;
  readonly to: number;
}

const INK: { readonly [how in How]: ColourKey } = { pull: "pull", push: "push", migrate: "text" };
const WORDS: { readonly [how in How]: string } = { pull: "pull", push: "push", migrate: "migrate" };
const LONG: { readonly [how in How]: string } = {
  pull: "pulled",
  push: "pushed",
  migrate: "migrated",
};

function moveAt(trace: TraceStore, row: number): Move {
  const { events } = trace;
  const [by, task, other] = [events.cpu.at(row), events.a.at(row), events.b.at(row)];
  switch (events.kind.at(row)) {
    case KIND.PullOk:
      return { how: "pull", task, by, from: other, to: by };
    case KIND.PushOk:
      return { how: "push", task, by, from: by, to: other };
    default:
      return { how: "migrate", task, by, from: lastCpu(trace, row, task), to: other };
  }
}

/** Where a woken task last ran: its sched_waking row, some rows before, says so. */
function lastCpu({ events }: TraceStore, row: number, task: number): number | undefined {
  for (let before = row - 1; before >= Math.max(0, row - NEAR_ROWS); before -= 1) {
    if (events.kind.at(before) === KIND.SchedWaking && events.a.at(before) === task)
      return events.b.at(before);
  }
  return undefined;
}

/**
 * Every pull and push also writes sched_migrate_task right before its own row: one move, drawn
 * once.
 */
function isItem({ events }: TraceStore, row: number): boolean {
  if (events.kind.at(row) !== KIND.MigrateTask) return true;
  const [ns, task] = [events.time.at(row), events.a.at(row)];
  for (let next = row + 1; next < events.count && events.time.at(next) === ns; next += 1) {
    const kind = events.kind.at(next);
    if ((kind === KIND.PullOk || kind === KIND.PushOk) && events.a.at(next) === task) return false;
  }
  return true;
}

const PARTS: RowParts = {
  kinds: [KIND.PullOk, KIND.PushOk, KIND.MigrateTask],
  keep: isItem,
  places: (trace, row, see) => {
    const { from, to } = moveAt(trace, row);
    const ns = trace.events.time.at(row);
    if (from !== undefined) see(from, ns);
    see(to, ns);
  },
  lines: (trace, row) => {
    const { how, task, by, from, to } = moveAt(trace, row);
    return [
      `${LONG[how]}: ${trace.taskName(task)}${from === undefined ? "" : ` from ${cpuWords(from)}`} to ${cpuWords(to)}`,
      `moved by ${cpuWords(by)}${reasonOf(trace, row, how)}`,
    ];
  },
  away: (scene, row, at) => {
    const { x, y0, y1 } = extentOf(scene, row);
    return awayFromUpright(x, y0, y1, at);
  },
  halfPx: 5,
};

const PULLERS: WordsOf<Puller> = {
  [PULLER_PULL_RT_TASK]: "pull_rt_task",
  [PULLER_OLD_BALANCING]: "load balancing",
  [PULLER_FAIR_BALANCING]: "load balancing of fair tasks",
};

/** Which kernel path pulled: the try, a few rows before, says so. */
function reasonOf({ events }: TraceStore, row: number, how: How): string {
  if (how !== "pull")
    return how === "push" ? ", the task's old CPU" : ", when it chose a CPU for the task";
  for (let before = row - 1; before >= Math.max(0, row - NEAR_ROWS); before -= 1) {
    if (events.kind.at(before) !== KIND.PullTry || events.cpu.at(before) !== events.cpu.at(row))
      continue;
    return `, in ${PULLERS[events.b.at(before)] ?? "load balancing"}`;
  }
  return "";
}

interface Extent {
  readonly how: How;
  readonly x: number;
  readonly y0: number;
  readonly y1: number;
}

function extentOf({ trace, plot }: Pick<Scene, "trace" | "plot">, row: number): Extent {
  const { how, from, to } = moveAt(trace, row);
  const y1 = middleOf(plot, to);
  return {
    how,
    x: xOf(plot, trace.events.time.at(row)),
    y0: from === undefined ? y1 : middleOf(plot, from),
    y1,
  };
}

function draw(context: CanvasRenderingContext2D, scene: Scene, labels: LabelLayer): void {
  const { plot, trace } = scene;
  const rows = rowsIn(PARTS, scene).filter((row) => isItem(trace, row));
  const thin = isAside(scene, "move");
  for (const row of rows) {
    const move = extentOf(scene, row);
    if (!inSight(plot, move.y0) && !inSight(plot, move.y1)) continue;
    if (rows.length > DETAIL.most || thin)
      drawSmall(context, plot.theme, move, rows.length <= DETAIL.most * 4);
    else {
      drawMove(context, plot.theme, move);
      labels.add(
        WORDS[move.how],
        move.x + 8,
        (move.y0 + move.y1) / 2,
        plot.theme[INK[move.how]],
        RANK.Move,
      );
    }
  }
}

/**
 * From afar: a mark where the task arrives, and while they are not too many a hair from where it
 * came.
 */
function drawSmall(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { how, x, y0, y1 }: Extent,
  withLine: boolean,
): void {
  context.fillStyle = theme[INK[how]];
  if (withLine) {
    context.globalAlpha = 0.35;
    context.fillRect(x - 0.5, Math.min(y0, y1), 1, Math.abs(y1 - y0));
  }
  context.globalAlpha = 0.9;
  context.fillRect(x - 1.5, y1 - 1.5, 3, 3);
  context.globalAlpha = 1;
}

function drawMove(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { how, x, y0, y1 }: Extent,
): void {
  const down = Math.sign(y1 - y0) * 5;
  context.fillStyle = context.strokeStyle = theme[INK[how]];
  context.lineWidth = theme.strokePx * 1.5;
  context.beginPath();
  context.moveTo(x, y0);
  context.lineTo(x, y1 - down);
  context.stroke();
  context.beginPath();
  context.moveTo(x, y1);
  context.lineTo(x - 4, y1 - down * 1.6);
  context.lineTo(x + 4, y1 - down * 1.6);
  context.fill();
  drawTile(context, how, x, y0);
}

function drawTile(context: CanvasRenderingContext2D, how: How, x: number, y: number): void {
  if (how === "pull") return context.fillRect(x - 3.5, y - 3.5, 7, 7);
  context.beginPath();
  context.arc(x, y, how === "push" ? 4 : 3, 0, 2 * Math.PI);
  if (how === "push") context.fill();
  else context.stroke();
}

function drawSwatch(how: How): Mark["legend"][number]["swatch"] {
  return (context, theme, width, height) => {
    // The arrow of the lanes, lying: a legend is wide and low.
    context.save();
    context.translate(0, height / 2);
    context.rotate(-Math.PI / 2);
    drawMove(context, theme, { how, x: 0, y0: 6, y1: width - 3 });
    context.restore();
  };
}

/** Tasks between two rows at once. */
const SLIDING_MAX = 40;

function fly(context: CanvasRenderingContext2D, scene: Scene, ns: number, leastNs: number): void {
  const { trace, plot } = scene;
  const sliding = trace.events.rowsOf(PARTS.kinds).listIn(ns, ns + leastNs);
  for (const row of sliding.subarray(0, SLIDING_MAX)) {
    if (!isItem(trace, row)) continue;
    const { how, x, y0, y1 } = extentOf(scene, row);
    if (!inSight(plot, y0) && !inSight(plot, y1)) continue;
    const share = 1 - (trace.events.time.at(row) - ns) / leastNs;
    context.fillStyle = context.strokeStyle = plot.theme[INK[how]];
    context.lineWidth = plot.theme.strokePx * 1.5;
    drawTile(context, how, x, y0 + (y1 - y0) * share);
  }
}

export const MOVE: Mark = {
  id: "move",
  plural: "moved tasks",
  short: "moves",
  shortOne: "move",
  colours: ["pull", "push", "text"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  fly,
  legend: (["pull", "push", "migrate"] as const).map((how) => ({
    words: LONG[how],
    swatch: drawSwatch(how),
  })),
};
