// What the shapes mean. Each swatch is drawn by the same code as the lanes, so that the legend cannot lie.

import { useEffect, useRef } from "react";
import type { ReactElement } from "react";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { WaitKind } from "../../model/index.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL, WAIT } from "../../model/index.ts";
import type { FlagMark } from "./flags.ts";
import { drawFlagSwatch } from "./flags.ts";
import { burst } from "./kicks.ts";
import { drop, hatch } from "./quota.ts";
import { drawTubeSwatch } from "../tracks/tubes.ts";
import { preparedContext } from "../draw/frames.ts";
import type { Raster } from "../lanes/raster.ts";
import { drawBar, inksOf } from "../lanes/raster.ts";
import { drawBaseline, drawWait } from "../lanes/raster-waits.ts";
import type { TimelineTheme } from "../draw/theme.ts";

const WIDTH_PX = 26;
const HEIGHT_PX = 14;

interface Entry {
  readonly words: string;
  /** A bar of this state, */
  readonly state?: number;
  /** Drawn as held: the channel that says why. */
  readonly held?: number;
  /** or a box on the shelf, */
  readonly wait?: WaitKind;
  /** or a mark in one of the theme's colours; with none of them, the dotted line of sleep. */
  readonly mark?: "ipi" | "pull" | "push" | QuotaMark | FlagMark;
}

type QuotaMark = "throttled" | "take" | "return" | "tank" | "silo" | "kick";

const ENTRIES: readonly Entry[] = [
  { words: "user code", state: CPU_STATE.User },
  { words: "kernel", state: CPU_STATE.Kernel },
  { words: "not preemptible", state: CPU_STATE.Kernel, held: NO_PREEMPT_CHANNEL },
  { words: "interrupts off", state: CPU_STATE.Kernel, held: IRQ_OFF_CHANNEL },
  { words: "spinning for a lock", state: CPU_STATE.Spin },
  { words: "interrupt", state: CPU_STATE.Hardirq },
  { words: "softirq", state: CPU_STATE.Softirq },
  { words: "leaving idle", state: CPU_STATE.IdleExit },
  { words: "ready, waiting", wait: WAIT.Ready },
  { words: "preempted", wait: WAIT.Preempted },
  { words: "being woken", wait: WAIT.Waking },
  { words: "asleep, idle" },
  { words: "IPI", mark: "ipi" },
  { words: "need_resched (N)", mark: "now" },
  { words: "need_resched_lazy (L)", mark: "lazy" },
  { words: "lazy, upgraded", mark: "upgrade" },
  { words: "preemption point, taken", mark: "taken" },
  { words: "passed with a flag set", mark: "passed" },
  { words: "pulled", mark: "pull" },
  { words: "pushed", mark: "push" },
];

/** Only where a run has groups with a quota. */
const QUOTA_ENTRIES: readonly Entry[] = [
  { words: "out of quota", mark: "throttled" },
  { words: "takes run time", mark: "take" },
  { words: "returns it", mark: "return" },
  { words: "in the pool, on CPUs", mark: "tank" },
];

/** The tubes at the edge of the lanes; where rows are low, several CPUs share one. */
function siloEntry(cpus: number): Entry {
  const whose = cpus === 1 ? "a CPU" : `${String(cpus)} CPUs together`;
  return { words: `silo at the edge: held by ${whose}; crossed: stranded, the group does not run there; red: owed`, mark: "silo" };
}
const KICK_ENTRIES: readonly Entry[] = [{ words: "kick, woke it", mark: "kick" }];

interface LegendProps {
  readonly theme: TimelineTheme;
  readonly ratio: number;
  /** CPUs that share a silo at the edge of the lanes; 0 without groups under a quota. */
  readonly cpusPerSilo: number;
  readonly withKicks: boolean;
}

export function TimelineLegend({ theme, ratio, cpusPerSilo, withKicks }: LegendProps): ReactElement {
  const entries = [...ENTRIES, ...(cpusPerSilo > 0 ? [...QUOTA_ENTRIES, siloEntry(cpusPerSilo)] : []), ...(withKicks ? KICK_ENTRIES : [])];
  return (
    <div className="tl-legend" data-testid="timeline-legend">
      {entries.map((entry) => (
        <span key={entry.words}>
          <Swatch entry={entry} theme={theme} ratio={ratio} />
          {entry.words}
        </span>
      ))}
    </div>
  );
}

function Swatch({ entry, theme, ratio }: { readonly entry: Entry; readonly theme: TimelineTheme; readonly ratio: number }): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = theme.fontPx / 11;
  const width = WIDTH_PX * scale;
  const height = HEIGHT_PX * scale;
  useEffect(() => {
    const context = canvas.current === null ? undefined : preparedContext(canvas.current, width, height, ratio);
    if (context === undefined) return;
    paintSwatch(context, entry, theme);
    if (entry.mark !== undefined) drawMark(context, entry.mark, theme, width, height);
  }, [entry, theme, ratio, width, height]);
  return <canvas ref={canvas} style={{ width, height }} aria-hidden="true" />;
}

function paintSwatch(context: CanvasRenderingContext2D, entry: Entry, theme: TimelineTheme): void {
  const { width, height } = context.canvas;
  const image = new ImageData(width, height);
  const raster: Raster = { data: new Uint32Array(image.data.buffer), width, height };
  const inks = inksOf(theme);
  raster.data.fill(inks.background);
  if (entry.state !== undefined) {
    const samples = new Float32Array(width * CHANNELS);
    // An interrupt is a pin, not a stretch.
    const only = entry.state === CPU_STATE.Hardirq ? Math.floor(width / 2) : undefined;
    for (let column = 0; column < width; column += 1) {
      if (only !== undefined && column !== only) continue;
      samples[column * CHANNELS + entry.state] = 1;
      if (entry.held !== undefined) samples[column * CHANNELS + entry.held] = 1;
    }
    drawBar(raster, { left: 0, top: 0, width, height }, samples, 1, 0, inks);
  } else if (entry.wait !== undefined) {
    drawWait(raster, { top: Math.round(height * 0.25), height: Math.round(height * 0.5), left: 0, width }, 1, width - 1, entry.wait, inks);
  } else if (entry.mark === undefined) drawBaseline(raster, 0, width, height - 3, 0, inks);
  context.putImageData(image, 0, 0);
}

function drawMark(
  context: CanvasRenderingContext2D,
  mark: NonNullable<Entry["mark"]>,
  theme: TimelineTheme,
  width: number,
  height: number,
): void {
  const middle = width / 2;
  if (isQuotaMark(mark)) return drawQuotaMark(context, mark, theme, width, height);
  if (mark !== "ipi" && mark !== "pull" && mark !== "push") return drawFlagSwatch(context, mark, theme, width, height);
  context.fillStyle = context.strokeStyle = theme[mark];
  context.lineWidth = Math.max(1.5, theme.strokePx * 0.75);
  context.beginPath();
  switch (mark) {
    case "ipi":
      context.moveTo(3, 2);
      context.quadraticCurveTo(middle, height, width - 5, height - 4);
      context.stroke();
      context.fillRect(width - 8, height - 7, 7, 5);
      break;
    case "pull":
      context.fillRect(3, height / 2 - 3.5, 7, 7);
      drawArrow(context, 10, width - 3, height / 2);
      break;
    case "push":
      context.arc(6, height / 2, 4, 0, 2 * Math.PI);
      context.fill();
      drawArrow(context, 10, width - 3, height / 2);
      break;
  }
}

function isQuotaMark(mark: NonNullable<Entry["mark"]>): mark is QuotaMark {
  return mark === "throttled" || mark === "take" || mark === "return" || mark === "tank" || mark === "silo" || mark === "kick";
}

function drawQuotaMark(context: CanvasRenderingContext2D, mark: QuotaMark, theme: TimelineTheme, width: number, height: number): void {
  const colour = mark === "throttled" ? theme.throttled : mark === "kick" ? theme.kick : theme.quota;
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = Math.max(1, theme.strokePx * 0.5);
  switch (mark) {
    case "throttled":
      return hatch(context, 0, 0, width, height);
    case "take":
    case "return":
      return drop(context, width / 2, height / 2 + (mark === "take" ? 2 : -2), Math.min(4, height / 4), mark === "return");
    case "tank":
      context.fillRect(0, height / 3, width / 2, (height * 2) / 3);
      for (let x = width / 2 + 1; x < width; x += 4) context.fillRect(x, height / 3, 1, (height * 2) / 3);
      return;
    case "silo":
      return drawTubeSwatch(context, theme, width, height);
    case "kick":
      context.setLineDash([2, 2.5]);
      context.beginPath();
      context.moveTo(2, 3);
      context.quadraticCurveTo(width * 0.7, 2, width - 8, height / 2);
      context.stroke();
      context.setLineDash([]);
      burst(context, width - 7, height / 2, height / 2 - 1);
  }
}

function drawArrow(context: CanvasRenderingContext2D, from: number, to: number, y: number): void {
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to - 4, y);
  context.stroke();
  context.beginPath();
  context.moveTo(to, y);
  context.lineTo(to - 6, y - 4);
  context.lineTo(to - 6, y + 4);
  context.fill();
}
