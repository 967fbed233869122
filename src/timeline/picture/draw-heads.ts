// What heads a side in a picture: its name, and the page's figures or its lock in words.

import { taskLockIn } from "../../model/locks/task-locks.ts";
import { userLockWords } from "../../model/locks/user-locks.ts";
import { lockWords } from "../../model/locks/lock-words.ts";
import type { LockMoment } from "../../model/index.ts";
import { cutWords } from "../lanes/cut.tsx";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { noWaitWords } from "../tracks/lock-head.tsx";
import { taskLockWords } from "../tracks/task-lock-track.tsx";
import type { Layout, PictureHead, PictureOf, SideLayout } from "./layout.ts";
import { wordsFont } from "./fonts.ts";
import { writeLines } from "./write-lines.ts";

/** A side's name takes so much of its heading at most. */
const NAME_SHARE = 0.6;

/** What heads a side: the page's words and figures where the picture has them. */
export function drawHead(
  context: CanvasRenderingContext2D,
  layout: Layout,
  side: SideLayout,
  { heads, playheadNs }: Pick<PictureOf, "heads" | "playheadNs">,
): void {
  if (heads === undefined) drawLockHead(context, layout, side, playheadNs);
  else drawFigures(context, layout, side, heads[side.side.id]);
}

/** A head's figures are so many times as large as other words. */
const FIGURE = 1.8;

function drawFigures(
  context: CanvasRenderingContext2D,
  { theme }: Layout,
  side: SideLayout,
  { name, value, figures }: PictureHead,
): void {
  const { width, height } = side.head;
  const { fontPx } = theme;
  const middle = height / 2;
  const sans = "ui-sans-serif, system-ui, sans-serif";
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  let right = width - 4;
  const write = (text: string, font: string, colour: string, gap: number): void => {
    context.font = font;
    right -= context.measureText(text).width;
    writeLines(context, [{ text, x: right, y: middle }], font, colour);
    right -= gap;
  };
  for (const { digits, unit, label } of [...figures].reverse()) {
    write(label, wordsFont(theme), theme.muted, fontPx * 0.5);
    if (unit !== "") write(unit, `600 ${String(fontPx)}px ${sans}`, theme.text, fontPx * 0.25);
    write(digits, `700 ${String(fontPx * FIGURE)}px ${sans}`, theme.text, fontPx * 1.6);
  }
  const after = drawBadge(context, theme, side);
  const bold = `700 ${String(fontPx + 1)}px ${sans}`;
  context.font = bold;
  const end = after + context.measureText(name).width + 8;
  writeLines(context, [{ text: name, x: after, y: middle }], bold, theme.text);
  context.font = wordsFont(theme);
  if (end + context.measureText(value).width <= right)
    writeLines(context, [{ text: value, x: end, y: middle }], wordsFont(theme), theme.muted);
}

/** The side's letter; returns where words go on, CSS px. */
function drawBadge(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { side, head }: SideLayout,
): number {
  const middle = head.height / 2;
  const badge = Math.round(theme.fontPx * 1.6);
  context.fillStyle = theme.text;
  context.fillRect(8, middle - badge / 2, badge, badge);
  context.font = `700 ${theme.fontPx + 1}px ui-sans-serif, system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.background;
  context.fillText(side.id.toUpperCase(), 8 + badge / 2, middle + 0.5);
  return 8 + badge + 8;
}

/** What heads a side: its name, and its lock in words. */
function drawLockHead(
  context: CanvasRenderingContext2D,
  { theme, shown }: Layout,
  side: SideLayout,
  ns: number,
): void {
  const { label, whole = label, trace, running } = side.side;
  const { width, height } = side.head;
  const middle = height / 2;
  const bold = `700 ${theme.fontPx + 1}px ui-sans-serif, system-ui, sans-serif`;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  const x = drawBadge(context, theme, side);
  context.font = bold;
  // A picture has no tooltip.
  const name = context.measureText(whole).width <= width * NAME_SHARE ? whole : label;
  writeLines(context, [{ text: name, x, y: middle + 0.5 }], bold, theme.text);
  const after = x + context.measureText(name).width + 16;
  const { track } = side;
  const moment = track === undefined || ns > trace.endNs ? NOBODY : track.at(ns);
  const words =
    track === undefined
      ? (userLockWords(trace, Math.min(ns, trace.endNs)) ??
        taskLockOf(side, ns) ??
        (shown.withLock ? noWaitWords(running) : ""))
      : `${lockWords(trace.lockName(track.id))} · depth ${moment.queue.length} · max ${track.peak.depth}`;
  const before = [cutWords(side.scene.plot), words].filter((part) => part !== "").join(" · ");
  context.font = wordsFont(theme);
  const fits = (more: string): boolean =>
    after + context.measureText(before + more).width <= width - 8;
  const queue = shown.withLock && shown.deepLock ? queueWords(moment, fits) : "";
  writeLines(
    context,
    [{ text: before + queue, x: after, y: middle + 0.5 }],
    wordsFont(theme),
    theme.muted,
  );
}

function taskLockOf(
  { taskLock, scene: { trace, plot } }: SideLayout,
  ns: number,
): string | undefined {
  if (taskLock === undefined) return undefined;
  return taskLockWords(trace, taskLockIn(trace, plot.viewport.fromNs, plot.viewport.toNs), ns).join(
    " · ",
  );
}

const NOBODY: LockMoment = { holder: undefined, queue: [] };

/** Waiters that are named at most. */
const NAMED_MAX = 64;

/** Holder and waiters as far as they have room: "+ 12" counts those that are not named. */
export function queueWords(
  { holder, queue }: LockMoment,
  fits: (words: string) => boolean,
): string {
  const held = holder === undefined ? "" : ` · held by CPU ${holder}`;
  for (let named = Math.min(queue.length, NAMED_MAX); named > 0; named -= 1) {
    const rest = queue.length - named;
    const words = `${held} · waiting: ${queue.slice(0, named).join(" ")}${rest > 0 ? ` + ${rest}` : ""}`;
    if (fits(words)) return words;
  }
  return fits(held) ? held : "";
}
