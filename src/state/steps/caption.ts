// The sentence of a step, with the figures it names filled in.

import { figureText } from "../figures/figure.ts";
import type { Side } from "../../scenario/sides.ts";

/** Takes the place of a figure that is not known yet, or that the run does not have. */
const UNKNOWN = "…";

/**
 * A caption whose `{rq_lock.max_waiters a}`, `{wakeup b}`, `{machine.cpus}` are what `figure` says;
 * side A's where none is named.
 */
export function captionWith(
  caption: string,
  figure: (name: string, side: Side) => string | undefined,
): string {
  const filled = caption.replaceAll(/\{([^{}]*)\}/g, (_, named: string) => {
    const [, name = "", side = "a"] = /^(.+?)(?: ([ab]))?$/.exec(named) ?? [];
    return figure(name, side as Side) ?? UNKNOWN;
  });
  // Two figures that read the same are said once: "112 ms to 112 ms", "6.36 µs in A and 6.36 µs in
  // B".
  return filled.replaceAll(
    /(\b\d[\d.]* (?:ns|µs|ms|s)\b)(?: to \1\b|( in A and) \1(?= in B\b))/g,
    "$1$2",
  );
}

/** A metric in a sentence, by its path. */
export function metricText(path: string, value: number): string {
  return figureText(value, path.endsWith("_ns") ? "ns" : path.endsWith("_bp") ? "share" : "count");
}

/** A shorter beginning is no sentence: "A", "In B". */
const CLAUSE_MIN = 16;

/**
 * The clauses of a filled-in caption before the first that lacks a figure: of "With two CPUs the
 * middle task runs there: strong waits … in A." only "With two CPUs the middle task runs there." is
 * left. The whole caption where no clause is whole.
 */
export function knownPart(caption: string): string {
  const before = caption.slice(0, Math.max(0, caption.indexOf(UNKNOWN)));
  const end = Math.max(...[": ", "; ", ". "].map((mark) => before.lastIndexOf(mark)));
  return end < CLAUSE_MIN ? caption : `${before.slice(0, end)}.`;
}

/** Whether a filled-in caption lacks a figure. */
export function hasUnknown(caption: string): boolean {
  return caption.includes(UNKNOWN);
}
