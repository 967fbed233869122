// The whole run in one strip: how busy it is, what part is in sight, where the playhead is.
// Drag to scrub.

import { useEffect, useRef } from "react";
import type { KeyboardEvent, PointerEvent, ReactElement, ReactNode } from "react";
import { formatNs, speakNs } from "../../lib/format.ts";
import { preparedContext, useFrameScheduler } from "../../lib/frame-scheduler.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { useTheme } from "../draw/use-theme.ts";
import type { TimelineProps, TimelineSide } from "../plot/timeline-props.ts";
import { usePixelRatio, useWidth } from "../draw/use-size.ts";

/** Where something lies over the scrubber. */
export interface ScrubberPlace {
  /** CSS px; 0 until it is known. */
  readonly width: number;
  readonly height: number;
  /** Left of the run's first instant, CSS px: the sides' letters are there. */
  readonly gutter: number;
  readonly theme: TimelineTheme;
}

export interface ScrubberProps extends Pick<
  TimelineProps,
  "sides" | "domainNs" | "viewport" | "playheadNs" | "theme" | "onPlayhead"
> {
  /** What lies over it: moments of the run. */
  readonly over?: (place: ScrubberPlace) => ReactNode;
}

/** The height in the style sheet: the transport is 44 px high. */
const SCRUB_PX = 36;
/** Nothing of the run lies over A and B: half a tick of its first instant has room as well. */
const GUTTER_PX = 20;

export function Scrubber({
  sides,
  domainNs,
  viewport,
  playheadNs,
  theme: themeName,
  over,
  onPlayhead,
}: ScrubberProps): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(root);
  const ratio = usePixelRatio();
  const scheduler = useFrameScheduler();
  const theme = useTheme(themeName);
  useEffect(() => {
    scheduler.want("scrubber", () => {
      const height = SCRUB_PX;
      const context =
        canvas.current === null || width === 0
          ? undefined
          : preparedContext(canvas.current, width, height, ratio);
      if (context !== undefined)
        drawScrubber(context, { sides, domainNs, viewport, playheadNs, width, height, theme });
    });
  }, [scheduler, sides, domainNs, viewport, playheadNs, width, ratio, theme]);
  const seek = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    onPlayhead(
      Math.round(
        Math.min(1, Math.max(0, (event.clientX - box.left - GUTTER_PX) / (box.width - GUTTER_PX))) *
          domainNs,
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = keySeek(event.code, playheadNs, domainNs);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onPlayhead(to);
  };
  return (
    <div
      ref={root}
      className={`tl-scrub tl-${themeName}`}
      role="slider"
      tabIndex={0}
      aria-label="Playhead"
      aria-valuemin={0}
      aria-valuemax={Math.round(domainNs)}
      aria-valuenow={Math.round(playheadNs)}
      aria-valuetext={speakNs(playheadNs, 3)}
      title={formatNs(playheadNs, 3)}
      data-testid="scrubber"
      onPointerDown={seek}
      onPointerMove={seek}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {over?.({ width, height: SCRUB_PX, gutter: GUTTER_PX, theme })}
    </div>
  );
}

/** A slider's keys: arrows move by a hundredth of the run, pages by a tenth. */
function keySeek(code: string, playheadNs: number, domainNs: number): number | undefined {
  const by = (share: number): number =>
    Math.round(Math.min(domainNs, Math.max(0, playheadNs + share * domainNs)));
  switch (code) {
    case "ArrowLeft":
    case "ArrowDown":
      return by(-0.01);
    case "ArrowRight":
    case "ArrowUp":
      return by(0.01);
    case "PageDown":
      return by(-0.1);
    case "PageUp":
      return by(0.1);
    case "Home":
      return 0;
    case "End":
      return domainNs;
    default:
      return undefined;
  }
}

interface ScrubberPicture extends Pick<
  ScrubberProps,
  "sides" | "domainNs" | "viewport" | "playheadNs"
> {
  readonly width: number;
  readonly height: number;
  readonly theme: TimelineTheme;
}

function drawScrubber(context: CanvasRenderingContext2D, picture: ScrubberPicture): void {
  const { sides, domainNs, viewport, playheadNs, height, theme } = picture;
  context.fillStyle = theme.band;
  context.fillRect(0, 0, picture.width, height);
  const share = height / sides.length;
  drawLetters(context, sides, share, theme);
  context.translate(GUTTER_PX, 0);
  const width = picture.width - GUTTER_PX;
  const x = (ns: number): number => (ns / domainNs) * width;
  sides.forEach((side, index) =>
    drawDensity(context, side, domainNs, width, index * share, share - 1, theme),
  );
  context.fillStyle = theme.background;
  context.globalAlpha = 0.55;
  context.fillRect(0, 0, x(viewport.fromNs), height);
  context.fillRect(x(viewport.toNs), 0, width - x(viewport.toNs), height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.text;
  context.lineWidth = Math.max(1.5, theme.strokePx);
  context.strokeRect(
    x(viewport.fromNs) + 0.75,
    0.75,
    Math.max(3, x(viewport.toNs) - x(viewport.fromNs)) - 1.5,
    height - 1.5,
  );
  context.fillStyle = theme.playhead;
  context.fillRect(x(playheadNs) - 1, 0, Math.max(2, theme.strokePx), height);
}

/** A and B at the left edge. */
function drawLetters(
  context: CanvasRenderingContext2D,
  sides: ScrubberProps["sides"],
  share: number,
  theme: TimelineTheme,
): void {
  context.font = `700 ${Math.min(theme.fontPx, share - 3)}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.fillStyle = theme.text;
  sides.forEach((side, index) => context.fillText(side.id.toUpperCase(), 3, (index + 0.5) * share));
}

function drawDensity(
  context: CanvasRenderingContext2D,
  side: TimelineSide,
  domainNs: number,
  width: number,
  top: number,
  height: number,
  theme: TimelineTheme,
): void {
  const profile = side.trace.density.profile(domainNs, Math.max(1, Math.floor(width / 2)));
  const most = profile.reduce((peak, count) => Math.max(peak, count), 1);
  // No hue of its own: a side is named by its letter and its place.
  context.fillStyle = theme.muted;
  profile.forEach((count, column) => {
    // Square root: a quiet stretch must not vanish beside a busy one.
    const size = Math.sqrt(count / most) * height;
    if (count > 0) context.fillRect(column * 2, top + height - size, 1.6, size);
  });
}
