// "The smallest limit that does it is z; a burst of w does it too", from two searches. Knows words only.

import { fixed } from "../../lib/format.ts";
import { plainText } from "../../engine/plain.ts";
import { exceedanceLimit, type BisectAnswer } from "../sweep/bisect.ts";

/** What two searches came to, and how a limit and a burst are written. */
export interface LimitFound {
  /** "web.request: p99 at or under 50 ms". */
  readonly goal: string;
  /** Runs at each value. */
  readonly seeds: number;
  readonly limit: BisectAnswer | undefined;
  readonly burst: BisectAnswer | undefined;
  /** Whether the kernel has cpu.max.burst. */
  readonly hasBurst: boolean;
  readonly limitText: (value: number) => string;
  readonly burstText: (value: number) => string;
  /** Greatest limit that was tried. */
  readonly mostLimit: number;
  /** A figure of the metric: "61 ms". */
  readonly metricText: (value: number) => string;
}

/** Sentences as far as the searches have come. A search that was stopped says nothing. */
export function limitSentences(found: LimitFound): readonly string[] {
  const limit = limitSentence(found);
  const burst = burstSentence(found);
  const anyFound = found.limit?.kind === "found" || found.burst?.kind === "found";
  const sure = anyFound ? sureSentence(found) : undefined;
  return [limit, burst, sure].filter((sentence) => sentence !== undefined);
}

function limitSentence({ limit, limitText, mostLimit, metricText, goal }: LimitFound): string | undefined {
  if (limit === undefined || limit.kind === "probe") return undefined;
  if (limit.kind === "none") {
    if (limit.why !== undefined) return noAnswer(`a limit of ${limitText(mostLimit)}`, limit.why);
    const least = limit.worst === undefined ? "" : `; it is ${metricText(limit.worst)} even there`;
    return `No limit up to ${limitText(mostLimit)} is enough for ${goal}${least}: something else holds it back.`;
  }
  const odd = limit.contradicted ? ODD : "";
  if (limit.below === undefined) return `A limit of ${limitText(limit.value)} is enough for ${goal}; no smaller one was tried.${odd}`;
  return `The smallest limit that is enough for ${goal}: ${limitText(limit.value)}.${odd}`;
}

/** Where the greatest value that was tried gives no figure. `why`: the engine's words may stand in it. */
export function noAnswer(value: string, why: string): string {
  return `With ${value} there is no answer: ${plainText(why)}${/[.!?]$/.test(why) ? "" : "."}`;
}

const ODD = " A greater one is not: look at the whole sweep.";

function burstSentence({ limit, burst, burstText, metricText, hasBurst }: LimitFound): string | undefined {
  if (!hasBurst) return "This kernel has no cpu.max.burst, which came with 5.14.";
  if (burst === undefined || burst.kind === "probe") return undefined;
  if (burst.kind === "none") {
    if (burst.why !== undefined) return noAnswer("the limit as it is and the greatest burst", burst.why);
    const least = burst.worst === undefined ? "" : `; with the greatest it is ${metricText(burst.worst)}`;
    return `With the limit as it is, no burst is enough${least}. The kernel takes none above the quota.`;
  }
  if (burst.value === 0) return "The limit as it is needs no burst for it.";
  const too = limit?.kind === "found" ? " too" : "";
  return `With the limit as it is, a burst of ${burstText(burst.value)} does it${too}.${burst.contradicted ? ODD : ""}`;
}

function sureSentence({ seeds }: LimitFound): string {
  const share = fixed(exceedanceLimit(seeds), 100, 1);
  return `Tried on ${seeds} seeds: with 95 % confidence, at most ${share} % of all seeds go above.`;
}
