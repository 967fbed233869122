// The whole picture on a surface: the parts that stay, and those that move with the playhead. Every
// shape is drawn by the code that draws it on the page.

import { taskLockIn } from "../../model/locks/task-locks.ts";
import { threeFigures } from "../../lib/format.ts";
import { tankWords, type TankWords } from "../../model/words/describe-quota.ts";
import { silosPx } from "../plot/gutter.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { xOf } from "../plot/plot.ts";
import { drawMarks } from "../marks/layer.ts";
import { drawHolds } from "../tracks/holds.ts";
import { drawTaskLock } from "../tracks/task-lock.ts";
import { mostWaiters } from "../tracks/task-lock-track.tsx";
import { isIdle } from "../tracks/strips.tsx";
import { spansOf } from "../tracks/task-strip.tsx";
import { axisTicks } from "../tracks/ticks.ts";
import { drawDrops } from "../tracks/draw-drops.ts";
import { drawTank } from "../tracks/draw-tank.ts";
import { drawInstead, rowPx } from "../tracks/draw-instead.ts";
import { drawLockLane } from "../tracks/draw-lock.ts";
import { drawRing } from "../tracks/draw-ring.ts";
import { ringAt, ringSubject } from "../tracks/ring-moment.ts";
import { drawTaskLane } from "../tracks/draw-task.ts";
import { drawSilos } from "../tracks/silos.ts";
import type { Layout, PictureOf, PlacedTank, SideLayout } from "./layout.ts";
import { titleFont, wordsFont } from "./fonts.ts";
import { writeLines } from "./write-lines.ts";
import { drawHead } from "./draw-heads.ts";
import { drawArea, drawMarkers } from "./over.ts";
import type { Box } from "./shapes.ts";
import type { Surface } from "./surfaces.ts";

/** A side's edge, as on the page. */
const EDGE_PX = 3;

/** Everything. */
export function drawPicture(surface: Surface, layout: Layout, picture: PictureOf): void {
  drawStill(surface, layout, picture);
  for (const side of layout.sides) {
    if (picture.pageHeads === undefined)
      surface.box(side.head, (context) => drawHead(context, layout, side, picture));
    drawMoment(surface, layout, side, picture.playheadNs);
  }
  drawPlayhead(surface, layout, picture.playheadNs);
  dimQuiet(surface, layout, picture);
}

/** How much of its ink a side keeps that the title does not speak of, as on the page. */
const QUIET_INK = 0.4;

/** Over everything of the quiet side but its head. */
export function dimQuiet(surface: Surface, { sides, theme }: Layout, { quiet }: PictureOf): void {
  const side = sides.find((each) => each.side.id === quiet);
  if (side === undefined) return;
  const { head, lanes, left } = side;
  const y = head.y + head.height;
  const box = { x: left, y, width: head.width, height: lanes.y + lanes.height - y };
  surface.box(box, (context) => {
    context.globalAlpha = 1 - QUIET_INK;
    context.fillStyle = theme.background;
    context.fillRect(0, 0, box.width, box.height);
  });
}

/** What does not depend on the playhead. */
export function drawStill(surface: Surface, layout: Layout, picture: PictureOf): void {
  const { theme } = layout;
  const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
  surface.box(whole, (context) => {
    context.fillStyle = theme.background;
    context.fillRect(0, 0, layout.width, layout.height);
    writeLines(context, layout.question, wordsFont(theme), theme.muted);
    writeLines(context, layout.title, titleFont(theme), theme.text);
    writeLines(context, layout.corner, wordsFont(theme), theme.muted);
    writeLines(
      context,
      layout.legend.map(({ words }) => words),
      wordsFont(theme),
      theme.muted,
    );
  });
  for (const axis of layout.axes)
    surface.box(axis, (context) => drawAxis(context, layout, axis, picture));
  for (const side of layout.sides) drawSide(surface, layout, side);
  drawArea(surface, layout, picture);
  drawMarkers(surface, layout, picture);
  for (const { entry, swatch } of layout.legend)
    surface.box(swatch, (context) => entry.swatch(context, theme, swatch.width, swatch.height));
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { theme, gutter }: Layout,
  axis: Box,
  { viewport }: PictureOf,
): void {
  const { scale, values, format } = axisTicks(viewport, axis.width, gutter, theme.fontPx);
  const base = axis.height - 1;
  context.font = wordsFont(theme);
  // Where labels would touch, every second, third … one is named.
  const [first = 0, second = Infinity] = values.map((ns) => scale(ns));
  const widest =
    Math.max(...values.map((ns) => context.measureText(format(ns)).width)) + theme.fontPx;
  const named = values.filter(
    (_, index) => index % Math.max(1, Math.ceil(widest / (second - first))) === 0,
  );
  context.fillStyle = theme.rule;
  context.fillRect(gutter, base, axis.width - gutter, 1);
  for (const ns of values) context.fillRect(Math.round(scale(ns)), base - 6, 1, 6);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.muted;
  for (const ns of named) context.fillText(format(ns), scale(ns), base - 8 - theme.fontPx / 2);
}

/** One side's edge, strips, lanes and marks. */
export function drawSide(
  surface: Surface,
  layout: Pick<Layout, "theme" | "shown">,
  side: SideLayout,
): void {
  const { theme, shown } = layout;
  const { scene, lock, taskLock, lanes, task, wake, labels } = side;
  const { plot } = scene;
  const { fromNs, toNs } = plot.viewport;
  const bottom = lanes.y + lanes.height;
  surface.box(
    { x: side.left - EDGE_PX, y: side.head.y, width: EDGE_PX, height: bottom - side.head.y },
    (context) => {
      context.fillStyle = theme.text;
      context.fillRect(0, 0, EDGE_PX, bottom - side.head.y);
    },
  );
  if (lock !== undefined) {
    const lane = { ...plot, height: lock.height - 1 };
    surface.box(lock, (context) =>
      isIdle(plot, side.track)
        ? drawHolds(context, lane)
        : drawLockLane(context, lane, side.track, shown.depthMax),
    );
    drawRule(surface, layout, lock);
  }
  if (taskLock !== undefined) {
    const most = mostWaiters(shown.sides.map((each) => each.side));
    const lane = { ...plot, height: taskLock.height - 1 };
    surface.box(taskLock, (context) =>
      drawTaskLock(context, lane, taskLockIn(plot.trace, fromNs, toNs), most),
    );
    drawRule(surface, layout, taskLock);
  }
  for (const { tank, plot: box } of side.tanks) {
    const track = plot.trace.quota.limited.find(({ info }) => info.path === tank.path);
    surface.box(box, (context) =>
      drawTank(context, { ...plot, height: box.height }, track, tank.scale),
    );
  }
  if (task !== undefined) {
    surface.box(task, (context) =>
      drawTaskLane(context, { ...plot, height: task.height - 1 }, spansOf(plot, wake)),
    );
    drawRule(surface, layout, task);
  }
  surface.lanes(lanes, plot);
  surface.box(lanes, (context) =>
    drawMarks(context, scene, labels, { wake, running: side.side.running }),
  );
}

/** Under a strip. */
function drawRule(
  surface: Surface,
  { theme }: Pick<Layout, "theme">,
  { x, y, width, height }: Box,
): void {
  surface.box({ x, y: y + height - 1, width, height: 1 }, (context) => {
    context.fillStyle = theme.rule;
    context.fillRect(0, 0, width, 1);
  });
}

/**
 * What one side says of an instant below its head: its tanks in words, what its CPUs hold, what
 * is on its way to them.
 */
export function drawMoment(surface: Surface, layout: Layout, side: SideLayout, ns: number): void {
  const { theme } = layout;
  const { lanes, scene, tanks } = side;
  drawHeroes(surface, layout, side, ns);
  for (const placed of tanks) {
    const { words } = placed;
    surface.box(words, (context) => {
      context.fillStyle = theme.background;
      context.fillRect(0, 0, words.width, words.height);
      let x = 4;
      for (const { about, words: said } of wordsOfTank(side, placed, ns)) {
        const text = x > 4 ? ` · ${said}` : said;
        const font = wordsFont(theme);
        writeLines(context, [{ text, x, y: words.height / 2 }], font, tankColour(theme, about));
        x += context.measureText(text).width;
      }
    });
  }
  if (tanks.length === 0) return;
  const width = silosPx(scene.plot.gutter, theme);
  const silos = { ...lanes, x: lanes.x + scene.plot.gutter - width, width: width - 1 };
  surface.box(silos, (context) => {
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, lanes.height);
  });
  surface.box(silos, (context) => drawSilos(context, scene.plot, ns));
  const top = Math.min(...tanks.map(({ words }) => words.y));
  const floors = Object.fromEntries(
    tanks.map(({ tank, plot }) => [tank.path, plot.y + plot.height - top]),
  );
  surface.box({ ...lanes, y: top, height: lanes.y + lanes.height - top }, (context) =>
    drawDrops(context, scene.plot, {
      paths: Object.keys(floors),
      ns,
      places: { floors, lanes: lanes.y - top },
      labels: side.labels,
    }),
  );
}

/** The tracks that depend on the playhead as a whole. */
function drawHeroes(
  surface: Surface,
  { theme, shown, stepCpus }: Layout,
  { ring, instead, scene: { plot }, wake }: SideLayout,
  ns: number,
): void {
  const { viewport, trace } = plot;
  if (ring !== undefined) {
    const subject = ringSubject(
      shown.sides.map(({ side }) => side.trace),
      stepCpus,
      viewport,
    );
    const now = subject && ringAt(trace, subject, ns, viewport);
    surface.box(ring, (context) => drawRing(context, { ...plot, height: ring.height - 1 }, now));
  }
  if (instead === undefined) return;
  const most = Math.floor(instead.height / rowPx(theme));
  surface.box(instead, (context) => {
    context.fillStyle = theme.background;
    context.fillRect(0, 0, instead.width, instead.height);
    drawInstead(context, { ...plot, height: instead.height }, wake, most, ns);
  });
}

function wordsOfTank(
  { scene: { trace } }: SideLayout,
  { tank }: PlacedTank,
  ns: number,
): readonly TankWords[] {
  const track = trace.quota.limited.find(({ info }) => info.path === tank.path);
  return track === undefined || ns > trace.endNs
    ? [{ about: "pool", words: tank.path }]
    : tankWords(trace, track, ns, threeFigures);
}

/** Colours of the page's style sheet. */
function tankColour(theme: TimelineTheme, about: TankWords["about"]): string {
  switch (about) {
    case "pool":
      return theme.text;
    case "lost":
      return theme.lost;
    case "owed":
      return theme.wrong;
    default:
      return theme.muted;
  }
}

/** From the axis down through both sides, where the instant is in view. */
export function drawPlayhead(surface: Surface, layout: Layout, ns: number): void {
  const { theme, gutter } = layout;
  const wide = Math.max(1, theme.fontPx / 9);
  for (const { head, lanes, left, scene } of layout.sides) {
    const x = xOf(scene.plot, ns);
    if (x < gutter || x > scene.plot.width) continue;
    const top = head.y + head.height;
    const height = lanes.y + lanes.height - top;
    surface.box({ x: left + x - 5, y: top, width: 10 + wide, height }, (context) => {
      context.fillStyle = theme.playhead;
      context.fillRect(5, 0, wide, height);
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(10 + wide, 0);
      context.lineTo(5 + wide / 2, 5);
      context.closePath();
      context.fill();
    });
  }
}
