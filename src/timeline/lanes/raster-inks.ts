// What lanes are painted into, and the colours they are painted with, packed as pixels. Pure.

import { CPU_STATES } from "../../engine/gen/catalogue.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { mixed, pixelOf, stateColour } from "../plot/timeline-theme.ts";

/** A picture to draw into: row-major, 0xAABBGGRR. */
export interface Raster {
  readonly data: Uint32Array;
  readonly width: number;
  readonly height: number;
}

/** Where in the raster a lane's bar lies, in device pixels. */
export interface BarPlace {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  /** Columns. */
  readonly width: number;
}

export interface Inks {
  readonly background: number;
  readonly state: readonly number[];
  /** States whose share of the column is less than the pixel they are given. */
  readonly faint: readonly number[];
  readonly kernelRule: number;
  readonly lids: number;
  readonly hatch: readonly number[];
  readonly spinDark: number;
  readonly userSpinDark: number;
  readonly baseline: number;
  readonly wait: number;
  readonly waitSoft: number;
  readonly waitFaint: number;
}

/** The theme's colours, packed once per theme and not once per pixel. */
export function inksOf(theme: TimelineTheme): Inks {
  const byState = CPU_STATES.map((_, state) => stateColour(theme, state));
  return {
    background: pixelOf(theme.background),
    state: byState.map((colour) => pixelOf(colour)),
    faint: byState.map((colour) => pixelOf(mixed(colour, theme.background, 0.5))),
    kernelRule: pixelOf(mixed(theme.kernelRule, theme.kernel, 0.75)),
    lids: pixelOf(theme.lids),
    hatch: byState.map((colour) => pixelOf(mixed(theme.hatch, colour, 0.55))),
    spinDark: pixelOf(mixed(theme.spin, theme.background, 0.62)),
    userSpinDark: pixelOf(mixed(theme.userSpin, "#000000", 0.45)),
    baseline: pixelOf(mixed(theme.muted, theme.background, 0.45)),
    wait: pixelOf(theme.text),
    waitSoft: pixelOf(mixed(theme.text, theme.background, 0.6)),
    waitFaint: pixelOf(mixed(theme.text, theme.background, 0.22)),
  };
}
