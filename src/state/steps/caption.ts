// The sentence of a step, with the figures it names filled in.

import { formatCount, formatNs } from "../../lib/format.ts";
import type { Side } from "../sides.ts";

/** Stands for a figure that is not known yet, or that the run does not have. */
const UNKNOWN = "…";

/** A caption whose `{rq_lock.max_waiters a}`, `{wakeup b}`, `{machine.cpus}` are what `figure` says; side A's where none is named. */
export function captionWith(caption: string, figure: (name: string, side: Side) => string | undefined): string {
  return caption.replaceAll(/\{([^{}]*)\}/g, (_, named: string) => {
    const [, name = "", side = "a"] = /^(.+?)(?: ([ab]))?$/.exec(named) ?? [];
    return figure(name, side as Side) ?? UNKNOWN;
  });
}

/** A metric in a sentence, by its path. */
export function metricText(path: string, value: number): string {
  return path.endsWith("_ns") ? formatNs(value) : formatCount(value);
}

/** Whether a filled-in caption lacks a figure. */
export function hasUnknown(caption: string): boolean {
  return caption.includes(UNKNOWN);
}
