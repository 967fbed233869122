// Every colour the timeline draws with, by theme. Hue is the fourth cue: each state also has its
// own shape, texture and place, so that the picture survives a projector and any colour vision. CPU
// state colours were chosen for distance under all three deficiencies.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";

export type ThemeName = "dark" | "light" | "projector";

export interface TimelineTheme {
  readonly name: ThemeName;
  readonly background: string;
  /** Behind the lane of every second CPU, and behind labels. */
  readonly band: string;
  readonly text: string;
  readonly muted: string;
  readonly rule: string;
  readonly user: string;
  readonly kernel: string;
  /** The light rule through the middle of a kernel bar. */
  readonly kernelRule: string;
  readonly lids: string;
  /** The cross-hatch of interrupts off: must show on `kernel`. */
  readonly hatch: string;
  readonly hardirq: string;
  readonly softirq: string;
  readonly spin: string;
  /** Spinning in user code. */
  readonly userSpin: string;
  readonly idleExit: string;
  /** Stopped by an SMI or the host. */
  readonly stopped: string;
  /** Neutral: an IPI is no state. */
  readonly ipi: string;
  /** need_resched. */
  readonly flag: string;
  /** need_resched_lazy. */
  readonly flagLazy: string;
  readonly pull: string;
  readonly push: string;
  /** Out of quota: the hatch over a lane. */
  readonly throttled: string;
  /** Run time of a group: pool, silos, droplets. */
  readonly quota: string;
  /** Run time without a use: stranded on a CPU, expired, dropped. */
  readonly lost: string;
  /** Run time spent twice, and debt. */
  readonly wrong: string;
  /** Kicks of idle balancing. */
  readonly kick: string;
  readonly selection: string;
  readonly playhead: string;
  /** CSS px of labels; projector is 1.6 times the others. */
  readonly fontPx: number;
  /** CSS px of the thinnest stroke. */
  readonly strokePx: number;
}

const DARK: TimelineTheme = {
  name: "dark",
  background: "#0E1116",
  band: "#141920",
  text: "#E8ECF1",
  muted: "#98A3B1",
  rule: "#2C343F",
  user: "#6F96C4",
  kernel: "#725AC0",
  kernelRule: "#D9D0F7",
  lids: "#F5CAF8",
  hatch: "#F5CAF8",
  hardirq: "#F9F717",
  softirq: "#C89F71",
  spin: "#E03706",
  userSpin: "#B0483A",
  idleExit: "#5A6675",
  stopped: "#2FB5A5",
  ipi: "#C3CCD8",
  flag: "#FFB000",
  flagLazy: "#A9B8FF",
  pull: "#FF8AC4",
  push: "#7BE07B",
  throttled: "#B4DFC5",
  quota: "#5FB3E8",
  lost: "#C8D93A",
  wrong: "#FF6B5C",
  kick: "#E0A8FF",
  selection: "#FFFFFF",
  playhead: "#FFFFFF",
  fontPx: 11,
  strokePx: 1,
};

const LIGHT: TimelineTheme = {
  name: "light",
  background: "#FFFFFF",
  band: "#F4F6F9",
  text: "#14181D",
  muted: "#55606C",
  rule: "#D3DAE2",
  user: "#4F99CA",
  kernel: "#3E41B5",
  kernelRule: "#E6E6FA",
  lids: "#551E4B",
  hatch: "#FFFFFF",
  hardirq: "#A69300",
  softirq: "#6F541C",
  spin: "#CA3E4E",
  userSpin: "#F08A70",
  idleExit: "#9AA5B1",
  stopped: "#00796B",
  ipi: "#414B57",
  flag: "#A85C00",
  flagLazy: "#4A5BD4",
  pull: "#A3246F",
  push: "#1F7A1F",
  throttled: "#253E2C",
  quota: "#1F74AD",
  lost: "#66750A",
  wrong: "#C2182B",
  kick: "#7A2FB5",
  selection: "#000000",
  playhead: "#000000",
  fontPx: 11,
  strokePx: 1,
};

const PROJECTOR: TimelineTheme = {
  ...LIGHT,
  name: "projector",
  muted: "#3B444E",
  rule: "#AEB8C3",
  fontPx: 18,
  strokePx: 3,
};

export const THEMES: { readonly [name in ThemeName]: TimelineTheme } = {
  dark: DARK,
  light: LIGHT,
  projector: PROJECTOR,
};

/** The colour of a CPU state; idle is the background. */
export function stateColour(theme: TimelineTheme, state: number): string {
  switch (state) {
    case CPU_STATE.User:
      return theme.user;
    case CPU_STATE.Kernel:
      return theme.kernel;
    case CPU_STATE.Softirq:
      return theme.softirq;
    case CPU_STATE.Hardirq:
      return theme.hardirq;
    case CPU_STATE.Spin:
      return theme.spin;
    case CPU_STATE.UserSpin:
      return theme.userSpin;
    case CPU_STATE.IdleExit:
      return theme.idleExit;
    case CPU_STATE.Stopped:
      return theme.stopped;
    default:
      return theme.background;
  }
}

/**
 * `#RRGGBB` as one pixel of ImageData on a little-endian machine (every machine a browser runs on):
 * 0xAABBGGRR.
 */
export function pixelOf(hex: string, alpha = 255): number {
  const red = parseInt(hex.slice(1, 3), 16);
  const green = parseInt(hex.slice(3, 5), 16);
  const blue = parseInt(hex.slice(5, 7), 16);
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** `share` of `over` laid on `under`, both `#RRGGBB`. */
export function mixed(over: string, under: string, share: number): string {
  const channel = (at: number): string => {
    const value =
      parseInt(over.slice(at, at + 2), 16) * share +
      parseInt(under.slice(at, at + 2), 16) * (1 - share);
    return Math.round(value).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
