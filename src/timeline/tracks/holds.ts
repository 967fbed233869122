// The lock lane where no CPU waits for any lock: each hold of every lock, one after the other,
// because taking many locks costs time even without a waiter. Fetched behind the first
// picture.

import { KIND } from "../../engine/gen/catalogue.ts";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import { ACQUIRES, HOLDS, type TraceStore } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { askedNs, nsPerPx, xOf } from "../plot/plot.ts";
import { mixed } from "../plot/timeline-theme.ts";
import { cpuWords, REACH_PX } from "../marks/mark.ts";
import type { LockAnswer } from "./lock-answer.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

/** Above this number of rows in sight, holds are counted by the pixel. */
const ROWS_MAX = 6000;
/** The share of the lane's height that a hold has. */
const HOLD_SHARE = 0.62;

interface Hold {
  readonly lock: number;
  readonly cpu: number;
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * The holds whose rows lie in [fromNs, toNs), in the order they began; one whose other end lies
 * outside is cut there.
 */
export function holdsIn({ events }: TraceStore, fromNs: number, toNs: number): readonly Hold[] {
  const open = new Map<number, Hold>();
  const holds: Hold[] = [];
  for (const row of events.rowsOf(HOLDS).listIn(fromNs, toNs)) {
    const [lock, cpu, ns] = [events.a.at(row), events.cpu.at(row), events.time.at(row)];
    if (events.kind.at(row) === KIND.LockAcq) {
      open.set(lock, { lock, cpu, fromNs: ns, toNs });
      continue;
    }
    holds.push({ ...(open.get(lock) ?? { lock, cpu, fromNs }), toNs: ns });
    open.delete(lock);
  }
  return [...holds, ...open.values()].sort((one, other) => one.fromNs - other.fromNs);
}

function takenIn({ events }: TraceStore, fromNs: number, toNs: number): number {
  return events.rowsOf(ACQUIRES).countIn(fromNs, toNs);
}

/** "96 locks taken, no CPU waits for one". */
export function holdsWords(trace: TraceStore, fromNs: number, toNs: number): string {
  return `locks taken in view: ${String(takenIn(trace, fromNs, toNs))}; no CPU waits for one`;
}

export function drawHolds(context: CanvasRenderingContext2D, plot: Plot): void {
  const { theme, trace, viewport, gutter, height } = plot;
  const { fromNs, toNs } = viewport;
  const top = Math.round(height * (1 - HOLD_SHARE));
  const size = height - top - 2;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, plot.width, height);
  context.font = `${String(Math.max(9, theme.fontPx - 1))}px ui-monospace, monospace`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  context.fillText("locks", gutter - 6, top + size / 2);
  context.textAlign = "left";
  if (top >= theme.fontPx) context.fillText(holdsWords(trace, fromNs, toNs), gutter + 4, top / 2);
  context.fillStyle = theme.rule;
  context.fillRect(gutter - 1, 0, 1, height);
  if (trace.events.rowsOf(HOLDS).countIn(fromNs, toNs) > ROWS_MAX)
    return drawFar(context, plot, top, size);
  const inks = [theme.kernel, mixed(theme.kernel, theme.background, 0.65)];
  holdsIn(trace, fromNs, Math.min(toNs, trace.endNs)).forEach((hold, nth) => {
    const left = Math.max(gutter, xOf(plot, hold.fromNs));
    const width = Math.max(1, xOf(plot, hold.toNs) - left);
    context.fillStyle = inks[nth % inks.length] ?? theme.kernel;
    context.fillRect(left, top, width, size);
    const name = trace.lockName(hold.lock);
    if (width < 12 || size < theme.fontPx || context.measureText(name).width > width - 6) return;
    context.fillStyle = "#FFFFFF";
    context.fillText(name, left + 3, top + size / 2 + 0.5);
  });
}

/** How many are taken in each pixel, the most full. */
function drawFar(context: CanvasRenderingContext2D, plot: Plot, top: number, size: number): void {
  const { theme, trace, gutter, viewport } = plot;
  const ns = nsPerPx(plot);
  const counts = Array.from({ length: Math.floor(plot.width - gutter) }, (_, column) => {
    const fromNs = viewport.fromNs + column * ns;
    return takenIn(trace, fromNs, fromNs + ns);
  });
  const most = Math.max(1, ...counts);
  context.fillStyle = theme.kernel;
  counts.forEach((count, column) => {
    const high = count === 0 ? 0 : Math.max(1, (count / most) * size);
    context.fillRect(gutter + column, top + size - high, 1, high);
  });
}

/**
 * The hold under the pointer, or how many are near it; undefined in the gutter and where nothing is
 * simulated.
 */
export function askHolds(plot: Plot, x: number): LockAnswer | undefined {
  const ns = askedNs(plot, x);
  if (ns === undefined) return undefined;
  const { trace } = plot;
  const reach = REACH_PX * nsPerPx(plot);
  const near = holdsIn(trace, Math.max(0, ns - 64 * reach), ns + 64 * reach).filter(
    (hold) => hold.fromNs <= ns + reach && hold.toNs >= ns - reach,
  );
  const away = (hold: Hold): number => Math.max(hold.fromNs - ns, ns - hold.toNs, 0);
  const best = near.reduce<Hold | undefined>(
    (least, hold) => (least && away(least) <= away(hold) ? least : hold),
    undefined,
  );
  if (best === undefined)
    return {
      ns,
      cpu: undefined,
      lines: [holdsWords(trace, plot.viewport.fromNs, plot.viewport.toNs)],
    };
  const lasts = `${formatNs(best.toNs - best.fromNs, 3)}, from ${formatNs(best.fromNs, 6)} to ${formatNs(best.toNs, 6)}`;
  const many =
    near.length > 1
      ? [`the nearest of ${counted(near.length, "hold")} within ${String(REACH_PX)} pixels`]
      : [];
  return {
    ns: best.fromNs,
    cpu: best.cpu,
    lines: [
      `${lockWords(trace.lockName(best.lock))}: held by ${cpuWords(best.cpu)}, no CPU waits`,
      lasts,
      ...many,
    ],
  };
}
