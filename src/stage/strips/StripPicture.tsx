// The picture of a strip's run: folded, what all its CPUs do together; open, every lane, which
// answer as the sides' lanes do: to the pointer by what lies there, to a press by a selection, to a
// screen reader by a row for each CPU.

import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { counted } from "../../lib/count.ts";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { labelFont, LabelLayer } from "../../timeline/draw/label-layer.ts";
import { nsAt, plotWidth, xOf, type Plot } from "../../timeline/plot/plot.ts";
import { Tip } from "../../timeline/draw/tip.tsx";
import { useSettled } from "../../timeline/draw/use-settled.ts";
import { useTimelineGestures } from "../../timeline/input/gestures.ts";
import { pointOf } from "../../timeline/input/pointed.ts";
import { imageRaster, LanePainter, lanesBox } from "../../timeline/lanes/paint.ts";
import { rowsInView, type LaneRow } from "../../timeline/plot/lane-rows.ts";
import { LaneTwin } from "../../timeline/sides/lane-twin.tsx";
import { hitAt, wakeAt } from "../../timeline/marks/hit.ts";
import { drawMarks } from "../../timeline/marks/layer.ts";
import type { Run, Scene } from "../../timeline/marks/mark.ts";
import { markedOf } from "../../timeline/draw/marked-wake.ts";
import { cpusAtFull, drawMix, mixSamples, mixWords } from "./mix.ts";
import { denseRows } from "./dense-rows.ts";
import type { StripRowProps } from "./strip-props.ts";
import { inksOf } from "../../timeline/lanes/raster-inks.ts";

/** Height of a folded strip's picture, and of an open one's at most, CSS px at text size 11. */
const MIX_PX = 20;
const OPEN_PX = 164;

type PictureProps = StripRowProps & { readonly run: NonNullable<StripRowProps["run"]> };

export function StripPicture(props: PictureProps): ReactNode {
  const { letter, open, run, changes, asides, playheadNs, onPlayhead, onSelect } = props;
  const plots = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const under = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  const plot = usePlot(props, scrollTop);
  const shown = useMemo<Run>(
    () => ({ trace: run.trace, changes, asides }),
    [run.trace, changes, asides],
  );
  const scene = useMemo<Scene>(() => ({ ...shown, plot, lock: undefined }), [shown, plot]);
  useTimelineGestures(plots, { ...props, plotPx: plotWidth(plot), gutterPx: plot.gutter });
  useDrawing(props, scene, under, over);
  const settled = useSettled(playheadNs, props.playing);
  const words = useMemo(() => mixWords(run.trace, settled), [run.trace, settled]);
  const x = xOf(plot, playheadNs);
  const press = (event: MouseEvent<HTMLElement>): void => {
    const point = pointOf(event);
    if (point.x < plot.gutter) return;
    onPlayhead(Math.max(0, Math.round(nsAt(plot, point.x))));
    const hit = open ? hitAt(scene, point.x, point.y) : undefined;
    const wake = hit && wakeAt(plot, hit);
    if (wake !== undefined) onSelect(wake);
  };
  return (
    <div ref={plots} className={open ? "vstrip-plot open" : "vstrip-plot"}>
      <div
        ref={lanes}
        className="vstrip-lanes"
        style={{ height: plot.height }}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <div style={{ height: open ? plot.rows.height : plot.height }}>
          <div
            className="tl-stack"
            style={{ height: plot.height }}
            role={open ? "group" : "img"}
            aria-label={words}
            data-testid={`strip-${letter}-picture`}
            onPointerMove={(event) => setAt(pointOf(event))}
            onPointerLeave={() => setAt(undefined)}
            onClick={press}
          >
            <canvas ref={under} aria-hidden="true" />
            <canvas ref={over} aria-hidden="true" />
            {open ? (
              <SpokenLanes {...props} shown={shown} plot={plot} ns={settled} lanes={lanes} />
            ) : null}
            {at === undefined || at.x < plot.gutter ? null : (
              <StripTip {...at} scene={scene} open={open} letter={letter} />
            )}
          </div>
        </div>
      </div>
      {x < plot.gutter || x > plot.width ? null : (
        <div className="tl-playhead" style={{ transform: `translateX(${String(x)}px)` }} />
      )}
    </div>
  );
}

function usePlot({ place, open, run, viewport }: PictureProps, scrolled: number): Plot {
  const { width, gutter, ratio, theme } = place;
  const { trace } = run;
  const rows = useMemo(() => denseRows(trace.lanes.length, OPEN_PX), [trace]);
  const mixPx = Math.round((MIX_PX * theme.fontPx) / 11);
  const height = open ? Math.min(rows.height, OPEN_PX) : mixPx;
  const scrollTop = open ? scrolled : 0;
  return useMemo<Plot>(
    () => ({ trace, viewport, rows, scrollTop, gutter, width, height, ratio, theme }),
    [trace, viewport, rows, scrollTop, gutter, width, height, ratio, theme],
  );
}

type SpokenProps = PictureProps & {
  readonly shown: Run;
  readonly plot: Plot;
  readonly ns: number;
  readonly lanes: RefObject<HTMLDivElement | null>;
};

/** There are no groups and no lanes kept on top in a strip. */
const NOTHING = (): void => undefined;

/**
 * Words of a lane are made anew only when they may have changed: rows call the callbacks of the
 * last render.
 */
function SpokenLanes({
  letter,
  label,
  run,
  shown,
  plot,
  ns,
  lanes,
  onPlayhead,
  onSelect,
}: SpokenProps): ReactNode {
  const { rows, scrollTop, height } = plot;
  const told = useRef({ onPlayhead, onSelect });
  useEffect(() => {
    told.current = { onPlayhead, onSelect };
  });
  const [own] = useState(() => ({
    onPlayhead: (to: number) => told.current.onPlayhead(to),
    onSelect: (selection: Parameters<typeof onSelect>[0]) => told.current.onSelect(selection),
    onSeek: (row: LaneRow) => lanes.current?.scrollTo({ top: Math.max(0, row.top - OPEN_PX / 2) }),
  }));
  const inView = useMemo(() => rowsInView(rows, scrollTop, height), [rows, scrollTop, height]);
  const twin = {
    ...own,
    run: shown,
    all: rows.rows,
    rows: inView,
    scrollTop,
    ns,
    version: run.version,
  };
  return (
    <LaneTwin
      {...twin}
      title={`${letter.toUpperCase()}, ${label}`}
      onPoint={NOTHING}
      onFold={NOTHING}
      onMove={NOTHING}
    />
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
  const lines = open
    ? hitAt(scene, x, y)?.lines
    : [`${letter.toUpperCase()}, all CPUs`, mixWords(plot.trace, nsAt(plot, x))];
  return lines === undefined ? null : (
    <Tip
      lines={lines}
      x={x}
      y={y}
      width={plot.width}
      height={plot.height}
      testId={`strip-${letter}-tip`}
    />
  );
}

type Canvas = RefObject<HTMLCanvasElement | null>;

function useDrawing(
  { place, letter, open, run, selection }: PictureProps,
  scene: Scene,
  under: Canvas,
  over: Canvas,
): void {
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
      const wake = markedOf(scene.trace, selection);
      if (open) {
        painter.paint(below, scene.plot);
        drawMarks(above, scene, labels, { wake, running: false });
      } else {
        paintMix(below, scene.plot);
        if (wake !== undefined)
          drawStretch(above, scene.plot, wake.dueNs, wake.dueNs + wake.latencyNs);
      }
    });
  }, [scheduler, letter, open, run.version, selection, scene, painter, labels, under, over]);
}

function paintMix(context: CanvasRenderingContext2D, plot: Plot): void {
  const { trace, viewport, theme } = plot;
  const { left, width, height } = lanesBox(plot);
  const { image, raster } = imageRaster(width, height);
  const columnNs = (viewport.toNs - viewport.fromNs) / width;
  const samples = mixSamples(trace, viewport, width);
  const cpus = cpusAtFull(samples, columnNs, trace.lanes.length);
  drawMix(raster, samples, columnNs * cpus, inksOf(theme));
  context.putImageData(image, left, 0);
  context.font = labelFont(theme.fontPx);
  context.fillStyle = theme.muted;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText(counted(cpus, "CPU"), plot.gutter - 4, plot.height / 2);
}

/**
 * A folded strip has no lane to frame the selected wake-up on: a rule at its foot, from due to
 * done.
 */
function drawStretch(
  context: CanvasRenderingContext2D,
  plot: Plot,
  fromNs: number,
  toNs: number,
): void {
  const left = Math.max(plot.gutter, xOf(plot, fromNs));
  const right = Math.min(plot.width, Math.max(left + 3, xOf(plot, toNs)));
  const px = Math.max(2, plot.theme.strokePx);
  context.fillStyle = plot.theme.selection;
  if (right > left) context.fillRect(left, plot.height - px, right - left, px);
}
