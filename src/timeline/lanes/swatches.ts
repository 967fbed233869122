// The legend of the lanes themselves: what a CPU does and how a task waits. Each swatch is painted
// by the code that paints the lanes.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { WaitKind } from "../../model/index.ts";
import { CHANNELS, IRQ_OFF_CHANNEL, NO_PREEMPT_CHANNEL, WAIT } from "../../model/index.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import { imageRaster } from "./paint.ts";
import { drawBar } from "./raster.ts";
import { drawBaseline, drawWait } from "./raster-waits.ts";
import type { Inks, Raster } from "./raster-inks.ts";
import { inksOf } from "./raster-inks.ts";

interface BarSwatch {
  /** Drawn as held: the channel that says why. */
  readonly held?: number;
  /** A short interrupt at this share of the width. */
  readonly pinAt?: number;
}

/** A bar of one state over the whole swatch. */
export function paintBarSwatch(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  state: number,
  { held, pinAt }: BarSwatch,
): void {
  paint(context, theme, (raster, inks) => {
    const { width, height } = raster;
    const samples = new Float32Array(width * CHANNELS);
    for (let column = 0; column < width; column += 1) {
      samples[column * CHANNELS + state] = 1;
      if (held !== undefined) samples[column * CHANNELS + held] = 1;
    }
    if (pinAt !== undefined)
      samples[Math.floor(width * pinAt) * CHANNELS + CPU_STATE.Hardirq] = 0.05;
    drawBar(raster, { left: 0, top: 0, width, height }, samples, 1, 0, inks);
  });
}

function paint(
  context: CanvasRenderingContext2D,
  theme: TimelineTheme,
  draw: (raster: Raster, inks: Inks) => void,
): void {
  const { width, height } = context.canvas;
  const { image, raster } = imageRaster(width, height);
  const inks = inksOf(theme);
  raster.data.fill(inks.background);
  draw(raster, inks);
  context.putImageData(image, 0, 0);
}

function bar(state: number, held?: number): LegendEntry["swatch"] {
  return (context, theme) =>
    paintBarSwatch(context, theme, state, held === undefined ? {} : { held });
}

function wait(kind: WaitKind): LegendEntry["swatch"] {
  return (context, theme) =>
    paint(context, theme, (raster, inks) => {
      const { width, height } = raster;
      drawWait(
        raster,
        { top: Math.round(height * 0.25), height: Math.round(height * 0.5), left: 0, width },
        1,
        width - 1,
        kind,
        inks,
      );
    });
}

/**
 * An entry of the lanes' legend; without a channel it is about waiting, of which there are no sums.
 */
interface LaneEntry extends LegendEntry {
  readonly channel?: number;
}

function does(words: string, state: number, held?: number): LaneEntry {
  return { words, swatch: bar(state, held), channel: held ?? state };
}

export const LANE_LEGEND: readonly LaneEntry[] = [
  does("user code", CPU_STATE.User),
  does("spinning in user code", CPU_STATE.UserSpin),
  does("kernel", CPU_STATE.Kernel),
  does("not preemptible", CPU_STATE.Kernel, NO_PREEMPT_CHANNEL),
  does("interrupts off", CPU_STATE.Kernel, IRQ_OFF_CHANNEL),
  does("spinning for a lock", CPU_STATE.Spin),
  does("softirq", CPU_STATE.Softirq),
  does("leaving idle", CPU_STATE.IdleExit),
  does("stopped: SMI, host", CPU_STATE.Stopped),
  { words: "ready, waiting", swatch: wait(WAIT.Ready) },
  { words: "preempted", swatch: wait(WAIT.Preempted) },
  { words: "being woken", swatch: wait(WAIT.Waking) },
  {
    words: "asleep, idle",
    swatch: (context, theme) =>
      paint(context, theme, (raster, inks) =>
        drawBaseline(raster, 0, raster.width, raster.height - 3, 0, inks),
      ),
  },
];

/** An interrupt as long as a bar; the mark's own swatch is the pin of a short one. */
export const HANDLER: LaneEntry = does("interrupt", CPU_STATE.Hardirq);
