// One more run below A and B, on their time axis: folded, what all its CPUs do together; open, every lane. State comes in, events go out.

import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { TraceStore } from "../../model/index.ts";
import { preparedContext } from "../../timeline/draw/frames.ts";
import { LabelLayer } from "../../timeline/draw/labels.ts";
import { nsAt, plotWidth, xOf, type Plot } from "../../timeline/draw/plot.ts";
import { Tip } from "../../timeline/draw/tip.tsx";
import type { Drag, Place, Viewport } from "../../timeline/index.ts";
import { useTimelineGestures } from "../../timeline/input/gestures.ts";
import { LanePainter } from "../../timeline/lanes/paint.ts";
import { inksOf } from "../../timeline/lanes/raster.ts";
import { hitAt } from "../../timeline/marks/hit.ts";
import { drawMarks } from "../../timeline/marks/layer.ts";
import type { Scene } from "../../timeline/marks/mark.ts";
import { drawMix, mixSamples, mixWords } from "./mix.ts";
import { denseRows } from "./rows.ts";
import "./strips.css";

/** Height of a folded strip's picture, and of an open one's at most, CSS px at text size 11. */
const MIX_PX = 20;
const OPEN_PX = 164;

export interface StripFigure {
  /** The metric's, and its value as integers go. */
  readonly path: string;
  readonly value: number;
  readonly text: string;
  readonly label: string;
  readonly of: string;
}

export interface StripRowProps {
  readonly place: Place;
  readonly letter: "c" | "d";
  readonly label: string;
  readonly open: boolean;
  readonly run: { readonly trace: TraceStore; readonly version: number } | undefined;
  /** What is to be said beside the figures: "computing", why there is no run. */
  readonly status: string;
  /** The picture and the figures are of other knobs than now. */
  readonly stale: boolean;
  readonly figures: readonly StripFigure[];
  readonly viewport: Viewport;
  readonly domainNs: number;
  readonly playheadNs: number;
  readonly playing: boolean;
  readonly drag: Drag;
  readonly onViewport: (viewport: Viewport, phase: "move" | "end") => void;
  readonly onPlayhead: (ns: number) => void;
  readonly onToggle: () => void;
  readonly onPromote: () => void;
  readonly onRemove: () => void;
}

export function StripRow(props: StripRowProps): ReactNode {
  const { letter, label, open, run, status, stale, figures } = props;
  const name = letter.toUpperCase();
  return (
    <section
      className={stale ? "vstrip stale" : "vstrip"}
      aria-label={`${name}: ${label}`}
      data-testid={`strip-${letter}`}
      data-open={open}
    >
      <header className="vstrip-head">
        <button
          type="button"
          className="vstrip-fold"
          aria-expanded={open}
          title={open ? "Fold to what all CPUs do together" : "Open every lane"}
          data-testid={`strip-${letter}-fold`}
          onClick={props.onToggle}
        >
          <span className="tl-badge">{name}</span>
          <span className="tl-label">{label}</span>
          <span className="vstrip-mark" aria-hidden="true">
            {open ? "▾" : "▸"}
          </span>
        </button>
        <span className="vstrip-figures">
          {figures.map((figure) => (
            <span key={figure.path} title={`${figure.label}: ${figure.of}`}>
              <b data-testid={`strip-${letter}-${figure.path}`} data-value={stale ? undefined : figure.value}>
                {figure.text}
              </b>{" "}
              {figure.label}
            </span>
          ))}
        </span>
        <span className="vstrip-status" data-testid={`strip-${letter}-status`}>
          {status}
        </span>
        <span className="visually-hidden" role="status" data-testid={`strip-${letter}-said`}>
          {stale || run === undefined ? "" : `${name}, ${label}: ${figures.map((figure) => `${figure.label} ${figure.text}`).join(", ")}`}
        </span>
        <button
          type="button"
          className="vstrip-act"
          title={`${name} becomes side B`}
          data-testid={`strip-${letter}-promote`}
          onClick={props.onPromote}
        >
          as B
        </button>
        <button
          type="button"
          className="vstrip-act"
          aria-label={`Remove ${name}`}
          title={`Remove ${name}`}
          data-testid={`strip-${letter}-remove`}
          onClick={props.onRemove}
        >
          ×
        </button>
      </header>
      {run === undefined ? <div className={open ? "vstrip-room open" : "vstrip-room"} /> : <Picture {...props} run={run} />}
    </section>
  );
}

type PictureProps = StripRowProps & { readonly run: NonNullable<StripRowProps["run"]> };

function Picture(props: PictureProps): ReactNode {
  const { place, letter, open, run, viewport, playheadNs } = props;
  const { width, gutter, ratio, theme } = place;
  const plots = useRef<HTMLDivElement>(null);
  const under = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  const rows = useMemo(() => denseRows(run.trace.lanes.length, OPEN_PX), [run.trace]);
  const mixPx = Math.round((MIX_PX * theme.fontPx) / 11);
  const height = open ? Math.min(rows.height, OPEN_PX) : mixPx;
  const plot = useMemo<Plot>(
    () => ({ trace: run.trace, viewport, rows, scrollTop: open ? scrollTop : 0, gutter, width, height, ratio, theme }),
    [run.trace, viewport, rows, open, scrollTop, gutter, width, height, ratio, theme],
  );
  const scene = useMemo<Scene>(() => ({ trace: run.trace, plot, lock: undefined }), [run.trace, plot]);
  useTimelineGestures(plots, { ...props, plotPx: plotWidth(plot), gutterPx: gutter });
  useDrawing(props, scene, under, over);
  const settled = useSettled(playheadNs, props.playing);
  const words = useMemo(() => mixWords(run.trace, settled), [run.trace, settled]);
  const x = xOf(plot, playheadNs);
  return (
    <div
      ref={plots}
      className={open ? "vstrip-plot open" : "vstrip-plot"}
      onScroll={(event) => setScrollTop((event.target as HTMLElement).scrollTop)}
    >
      <div className="vstrip-lanes" style={{ height }}>
        <div style={{ height: open ? rows.height : height }}>
          <div
            className="tl-stack"
            style={{ height }}
            role="img"
            aria-label={words}
            data-testid={`strip-${letter}-picture`}
            onPointerMove={(event) => setAt(pointOf(event))}
            onPointerLeave={() => setAt(undefined)}
            onClick={(event) => props.onPlayhead(Math.max(0, Math.round(nsAt(plot, pointOf(event).x))))}
          >
            <canvas ref={under} aria-hidden="true" />
            <canvas ref={over} aria-hidden="true" />
            {at === undefined || at.x < gutter ? null : <StripTip {...at} scene={scene} open={open} letter={letter} />}
          </div>
        </div>
      </div>
      {x < gutter || x > width ? null : <div className="tl-playhead" style={{ transform: `translateX(${String(x)}px)` }} />}
    </div>
  );
}

function StripTip({
  x,
  y,
  scene,
  open,
  letter,
}: {
  readonly x: number;
  readonly y: number;
  readonly scene: Scene;
  readonly open: boolean;
  readonly letter: string;
}): ReactNode {
  const { plot } = scene;
  const lines = open ? hitAt(scene, x, y)?.lines : [`${letter.toUpperCase()}, all CPUs`, mixWords(plot.trace, nsAt(plot, x))];
  return lines === undefined ? null : (
    <Tip lines={lines} x={x} y={y} width={plot.width} height={plot.height} testId={`strip-${letter}-tip`} />
  );
}

type Canvas = React.RefObject<HTMLCanvasElement | null>;

function useDrawing({ place, letter, open, run }: PictureProps, scene: Scene, under: Canvas, over: Canvas): void {
  const [painter] = useState(() => new LanePainter());
  const [labels] = useState(() => new LabelLayer());
  const { scheduler } = place;
  useEffect(() => {
    scheduler.want(`strip ${letter}`, () => {
      const { width, height, ratio } = scene.plot;
      if (under.current === null || over.current === null || width === 0) return;
      const below = preparedContext(under.current, width, height, ratio);
      const above = preparedContext(over.current, width, height, ratio);
      if (below === undefined || above === undefined) return;
      above.clearRect(0, 0, width, height);
      if (open) {
        painter.paint(below, scene.plot);
        drawMarks(above, scene, labels, { wake: undefined, running: false });
      } else paintMix(below, scene.plot);
    });
  }, [scheduler, letter, open, run.version, scene, painter, labels, under, over]);
}

function paintMix(context: CanvasRenderingContext2D, plot: Plot): void {
  const { trace, viewport, ratio, theme } = plot;
  const width = Math.max(1, Math.round(plotWidth(plot) * ratio));
  const height = Math.max(1, Math.round(plot.height * ratio));
  const image = new ImageData(width, height);
  const wholeNs = ((viewport.toNs - viewport.fromNs) / width) * trace.lanes.length;
  const raster = { data: new Uint32Array(image.data.buffer), width, height };
  drawMix(raster, mixSamples(trace, viewport, width), wholeNs, inksOf(theme));
  context.putImageData(image, Math.round(plot.gutter * ratio), 0);
}

function pointOf(event: React.MouseEvent<HTMLElement>): { readonly x: number; readonly y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** The value as it was before playing began, until playing stops: what is spoken keeps still. */
function useSettled(value: number, moving: boolean): number {
  const [settled, setSettled] = useState(value);
  if (!moving && settled !== value) setSettled(value);
  return settled;
}
