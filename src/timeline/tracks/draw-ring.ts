// A ring that turns with each IPI, its count, and what the CPUs did not get to meanwhile.
//
//    ,-o-.    1 512                     CPU 0 did not get to
//   /     \   of 3 795 IPIs to itself   second.0, real-time     ====== 4.2 ms
//   \     /                             softirq TASKLET         ==     1.1 ms
//    `---'                              and 2 more

import { counted } from "../../lib/count.ts";
import { formatCount, formatNs, threeFigures } from "../../lib/format.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { Plot } from "../plot/plot.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { RingMoment, RingSubject, Undone } from "./ring-moment.ts";

/** Share of the plot's width where the list of what waits begins, and its least width, CSS px. */
const LIST_SHARE = 0.36;
const LIST_LEAST_PX = 260;
/** Height of the playhead's head, CSS px. */
const HEAD_PX = 7;
/** Width of a row's name in sizes of the text. */
const NAME = 15;
/** The longest bar takes so much of the rest of a row. */
const BAR_SHARE = 0.7;

/** What the ring counts: "IPIs to itself", "IPIs of the push chain". */
export function ringKind({ form }: RingSubject): string {
  return form === "self" ? "IPIs to itself" : "IPIs of the push chain";
}

/** The CPU or CPUs that a ring is about: "CPU 0", "CPUs 0, 2 and 3". */
export function ringCpus(subject: RingSubject): string {
  return subject.form === "self"
    ? `CPU ${String(subject.cpu)}`
    : subject.cpus.length === 1
      ? `CPU ${String(subject.cpus[0])}`
      : `CPUs ${sentenceList(subject.cpus.map(String))}`;
}

/** "second.0, real-time"; in a chain, which moves real-time tasks alone, "second.0, CPU 3". */
function undoneWords({ words, realTime, cpu }: Undone, { form }: RingSubject): string {
  if (form === "chain") return `${words}, CPU ${String(cpu)}`;
  return realTime ? `${words}, real-time` : words;
}

/** All of it in words, for a tooltip and for screen readers; `say` writes a time. */
export function ringWords(
  ring: RingMoment,
  say: (ns: number) => string = threeFigures,
): readonly string[] {
  const { subject, count, of, lit, undone } = ring;
  const cpus = ringCpus(subject);
  const chain = lit === undefined ? "no chain is under way" : `the chain is at CPU ${String(lit)}`;
  return [
    subject.form === "self"
      ? `${cpus} has sent ${counted(count, "IPI")} to itself, of ${formatCount(of)} in the run`
      : `${counted(count, "IPI")} of the push chain, of ${formatCount(of)} in the run; ${chain}`,
    ...(undone.length === 0
      ? [`nothing waits on ${cpus}`]
      : undone.map((each) => `${undoneWords(each, subject)} has waited for ${say(each.ns)}`)),
  ];
}

/** Over the whole of its box; nothing but the box where there is no ring at this instant. */
export function drawRing(
  context: CanvasRenderingContext2D,
  plot: Plot,
  ring: RingMoment | undefined,
): void {
  const { theme, width, height, gutter } = plot;
  // The playhead's head is at the top of the first track; its line would cross the words.
  context.fillStyle = theme.background;
  context.fillRect(0, HEAD_PX, width, height - HEAD_PX);
  context.fillStyle = theme.rule;
  context.fillRect(gutter - 1, 0, 1, height);
  context.textBaseline = "middle";
  if (ring === undefined) return;
  const radius = height / 2 - theme.fontPx * 0.8;
  const centre = { x: gutter + height / 2, y: height / 2 };
  drawCircle(context, theme, centre, radius, ring);
  const left = gutter + height + theme.fontPx * 0.4;
  const listLeft = Math.max(left + theme.fontPx * 13, gutter + (width - gutter) * LIST_SHARE);
  drawCount(context, theme, ring, left, height, listLeft - left);
  if (width - listLeft >= LIST_LEAST_PX) drawUndone(context, plot, ring, listLeft);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place on a circle, as a share of a turn from the top, clockwise. */
function onCircle({ x, y }: Point, radius: number, turn: number): Point {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius };
}

function drawCircle(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  centre: Point,
  radius: number,
  ring: RingMoment,
): void {
  const { subject, count, turns, notches } = ring;
  context.strokeStyle = theme.rule;
  context.lineWidth = Math.max(3, theme.fontPx * 0.3);
  context.beginPath();
  context.arc(centre.x, centre.y, radius, 0, 2 * Math.PI);
  context.stroke();
  if (subject.form === "chain") return drawNodes(context, theme, centre, radius, ring);
  for (let notch = 0; notch < notches; notch += 1) {
    const at = onCircle(centre, radius, (notch + ((turns * notches) % 1)) / notches);
    context.fillStyle = theme.muted;
    context.fillRect(at.x - 1, at.y - 1, 2, 2);
  }
  if (count > 0) drawTrail(context, theme, centre, radius, turns);
  drawNode(context, theme, onCircle(centre, radius, 0), String(subject.cpu), count > 0);
}

/** The last quarter turn, fading, and an envelope at its end. */
function drawTrail(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  centre: Point,
  radius: number,
  turns: number,
): void {
  const parts = 12;
  context.strokeStyle = theme.hardirq;
  context.lineWidth = Math.max(3, theme.fontPx * 0.3);
  for (let part = 0; part < parts; part += 1) {
    context.globalAlpha = (part + 1) / parts;
    const from = turns - (parts - part) / parts / 4;
    arc(context, centre, radius, from, from + 1 / parts / 4);
  }
  context.globalAlpha = 1;
  drawEnvelope(context, theme, onCircle(centre, radius, turns));
}

/** A part of a circle, as chords: pictures as lines have no other. */
function arc(
  context: CanvasRenderingContext2D,
  centre: Point,
  radius: number,
  from: number,
  to: number,
): void {
  const chords = Math.max(2, Math.ceil((to - from) * 96));
  context.beginPath();
  for (let chord = 0; chord <= chords; chord += 1) {
    const { x, y } = onCircle(centre, radius, from + ((to - from) * chord) / chords);
    if (chord === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
}

function drawEnvelope(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { x, y }: Point,
): void {
  const half = theme.fontPx * 0.5;
  const down = half * 0.7;
  context.fillStyle = theme.background;
  context.strokeStyle = theme.text;
  context.lineWidth = 1.5;
  context.fillRect(x - half, y - down, half * 2, down * 2);
  context.strokeRect(x - half, y - down, half * 2, down * 2);
  context.beginPath();
  context.moveTo(x - half, y - down);
  context.lineTo(x, y + 1);
  context.lineTo(x + half, y - down);
  context.stroke();
}

/** CPUs of a chain whose numbers have room on the ring. */
const NUMBERED_MAX = 12;

function drawNodes(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  centre: Point,
  radius: number,
  { subject, lit }: RingMoment,
): void {
  if (subject.form !== "chain") return;
  const { cpus } = subject;
  cpus.forEach((cpu, at) => {
    const place = onCircle(centre, radius, at / cpus.length);
    if (cpu === lit || cpus.length <= NUMBERED_MAX)
      drawNode(context, theme, place, String(cpu), cpu === lit);
    else {
      context.fillStyle = theme.muted;
      context.fillRect(place.x - 1.5, place.y - 1.5, 3, 3);
    }
  });
}

/** A CPU on the ring: a disc with the CPU's number, filled while the IPI is its own. */
function drawNode(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { x, y }: Point,
  words: string,
  lit: boolean,
): void {
  context.beginPath();
  context.arc(x, y, theme.fontPx * 0.75, 0, 2 * Math.PI);
  context.fillStyle = lit ? theme.text : theme.background;
  context.strokeStyle = lit ? theme.text : theme.muted;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  context.font = `700 ${String(Math.max(9, theme.fontPx - 2))}px ui-sans-serif, system-ui, sans-serif`;
  context.textAlign = "center";
  context.fillStyle = lit ? theme.background : theme.text;
  context.fillText(words, x, y + 0.5);
}

function drawCount(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  { subject, count, of }: RingMoment,
  left: number,
  height: number,
  width: number,
): void {
  const large = Math.min(height * 0.42, theme.fontPx * 2.4);
  context.textAlign = "left";
  context.font = `700 ${String(Math.round(large))}px ui-sans-serif, system-ui, sans-serif`;
  context.fillStyle = theme.text;
  context.fillText(formatCount(count), left, height / 2 - theme.fontPx * 0.5);
  context.font = wordFont(theme);
  context.fillStyle = theme.muted;
  const words = [`of ${formatCount(of)} ${ringKind(subject)}`, ringKind(subject)];
  const fits = words.find((each) => context.measureText(each).width <= width - 8);
  context.fillText(fits ?? "", left, height / 2 + large * 0.5 + theme.fontPx * 0.4);
}

function wordFont({ fontPx }: TimelineTheme, weight = 400): string {
  return `${String(weight)} ${String(fontPx)}px ui-sans-serif, system-ui, sans-serif`;
}

/** So much of some words as `width` holds. */
function cut(context: CanvasRenderingContext2D, words: string, width: number): string {
  if (context.measureText(words).width <= width) return words;
  let length = words.length - 1;
  while (length > 1 && context.measureText(`${words.slice(0, length)}…`).width > width) length -= 1;
  return `${words.slice(0, length)}…`;
}

/** Height of a row in sizes of the text. */
const ROW = 1.3;

function drawUndone(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { subject, undone }: RingMoment,
  left: number,
): void {
  const { theme, width, height, viewport } = plot;
  const rowPx = theme.fontPx * ROW;
  const room = Math.max(1, Math.floor((height - theme.fontPx * 0.4) / rowPx) - 1);
  const shown = undone.length > room ? undone.slice(0, room - 1) : undone;
  const rows = shown.length + 1 + (shown.length < undone.length ? 1 : 0);
  const top = (height - rows * rowPx) / 2;
  const middle = (row: number): number => top + (row + 0.5) * rowPx;
  const cpus = ringCpus(subject);
  context.textAlign = "left";
  context.font = wordFont(theme);
  context.fillStyle = theme.muted;
  const head = undone.length === 0 ? `nothing waits on ${cpus}` : `${cpus} did not get to`;
  context.fillText(head, left, middle(0));
  const barLeft = left + theme.fontPx * NAME;
  const barMost = (width - barLeft - theme.fontPx * 6) * BAR_SHARE;
  const spanNs = viewport.toNs - viewport.fromNs;
  shown.forEach((each, at) => {
    const y = middle(at + 1);
    context.font = wordFont(theme, 600);
    context.fillStyle = theme.text;
    context.fillText(cut(context, undoneWords(each, subject), theme.fontPx * (NAME - 1)), left, y);
    const wide = Math.max(2, Math.min(1, each.ns / spanNs) * barMost);
    context.fillStyle = theme.wrong;
    context.fillRect(barLeft, y - rowPx * 0.3, wide, rowPx * 0.6);
    context.fillStyle = theme.text;
    context.fillText(threeFigures(each.ns), barLeft + wide + 6, y + 0.5);
  });
  if (shown.length === undone.length) return;
  context.font = wordFont(theme);
  context.fillStyle = theme.muted;
  context.fillText(
    `and ${String(undone.length - shown.length)} more`,
    left,
    middle(shown.length + 1),
  );
}

export const RING_LEGEND: readonly LegendEntry[] = [
  {
    words: "IPI to itself, or of a push chain",
    swatch: (context, theme, width, height) => {
      const centre = { x: width / 2, y: height / 2 };
      context.strokeStyle = theme.rule;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(centre.x, centre.y, height / 2 - 2, 0, 2 * Math.PI);
      context.stroke();
      context.strokeStyle = theme.hardirq;
      arc(context, centre, height / 2 - 2, 0, 0.25);
    },
  },
];

/** The words under the pointer, with the instant first. */
export function ringTip(ring: RingMoment, ns: number): readonly string[] {
  return [formatNs(Math.round(ns), 6), ...ringWords(ring)];
}
