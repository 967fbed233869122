// Lock waits: a thin line from the CPU that joins the queue to the CPU that holds the lock at that
// moment, for the lock of the lock lane.

import { KIND } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../../model/index.ts";
import { middleOf, xOf } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { awayFromUpright } from "./arcs.ts";
import type { Mark, Pointer, Scene } from "./mark.ts";
import { cpuWords } from "./mark.ts";
import type { RowParts, Say } from "./row-mark.ts";
import { rowMark } from "./row-mark.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

const DETAIL = { most: 900, beyond: "hidden" } as const;
/** Rows looked at for the end of a wait. */
const END_ROWS_MAX = 20_000;

const PARTS: RowParts = { kinds: [KIND.LockWait], lines: waitLines, away };

function holderAt({ locks }: TraceStore, lock: number, ns: number): number | undefined {
  return locks.lock(lock)?.at(ns).holder;
}

function waitLines(trace: TraceStore, row: number, say: Say): string[] {
  const { events } = trace;
  const [cpu, lock, ns] = [events.cpu.at(row), events.a.at(row), events.time.at(row)];
  const holder = holderAt(trace, lock, ns);
  const ends = grantOf(trace, row);
  return [
    `${cpuWords(cpu)} starts to wait for the ${lockWords(trace.lockName(lock))}`,
    holder === undefined
      ? "nobody holds it: it is being handed over"
      : `held by ${cpuWords(holder)}`,
    ends === undefined ? "still waiting" : `gets it after ${say(ends - ns, 3)}`,
  ];
}

function grantOf({ events }: TraceStore, row: number): number | undefined {
  const [cpu, lock] = [events.cpu.at(row), events.a.at(row)];
  for (let next = row + 1; next < Math.min(events.count, row + END_ROWS_MAX); next += 1) {
    if (
      events.kind.at(next) === KIND.LockAcq &&
      events.cpu.at(next) === cpu &&
      events.a.at(next) === lock
    )
      return events.time.at(next);
  }
  return undefined;
}

/** From the line where one is drawn; else from the place on the waiter's own lane. */
function away({ trace, plot, lock }: Scene, row: number, at: Pointer): number {
  const { events } = trace;
  const [cpu, id, ns] = [events.cpu.at(row), events.a.at(row), events.time.at(row)];
  const x = xOf(plot, ns);
  const along = Math.abs(x - at.x);
  if (cpu === at.cpu || along > 8) return along;
  const holder = lock?.id === id ? holderAt(trace, id, ns) : undefined;
  return holder === undefined
    ? Infinity
    : awayFromUpright(x, middleOf(plot, cpu), middleOf(plot, holder), at);
}

function draw(context: CanvasRenderingContext2D, { plot, lock }: Scene): void {
  const { fromNs, toNs } = plot.viewport;
  if (lock === undefined || lock.countIn(fromNs, toNs) > DETAIL.most) return;
  let before: readonly number[] = [];
  for (const step of lock.steps(fromNs, toNs)) {
    const joined = step.queue.filter((cpu) => !before.includes(cpu));
    before = step.queue;
    if (step.holder === undefined || step.fromNs === fromNs) continue;
    const [x, holder] = [xOf(plot, step.fromNs), middleOf(plot, step.holder)];
    for (const cpu of joined)
      drawTether(context, plot.theme, { x, waiter: middleOf(plot, cpu), holder, ink: "spin" });
  }
}

/** From a CPU that waits to the one that has what it waits for, CSS px. */
export function drawTether(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  {
    x,
    waiter,
    holder,
    ink,
  }: {
    readonly x: number;
    readonly waiter: number;
    readonly holder: number;
    readonly ink: "spin" | "userSpin";
  },
): void {
  context.strokeStyle = context.fillStyle = theme[ink];
  context.lineWidth = Math.max(0.75, theme.strokePx * 0.4);
  context.globalAlpha = 0.75;
  context.beginPath();
  context.moveTo(x, waiter);
  context.lineTo(x, holder);
  context.stroke();
  context.globalAlpha = 1;
  context.fillRect(x - 2, holder - 2, 4, 4);
}

export const TETHER: Mark = {
  id: "tether",
  plural: "lock waits",
  short: "lock waits",
  shortOne: "lock wait",
  colours: ["spin"],
  detail: DETAIL,
  ...rowMark(PARTS),
  draw,
  legend: [
    {
      words: "waits for this holder",
      swatch: (context, theme, width, height) =>
        drawTether(context, theme, { x: width / 2, waiter: 1, holder: height - 3, ink: "spin" }),
    },
  ],
};
