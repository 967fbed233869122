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
  const sure = anyFound ? sureWords(found.seeds) : undefined;
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

/** How sure it is, in runs. The exact statement behind it: were the share of runs above p, so many would all hold with probability (1 - p)^seeds, here 1 in 20. */
export function sureWords(seeds: number): string {
  const held = seeds === 1 ? "It held in the one run that was made" : `It held in ${seeds} of ${seeds} runs with different random numbers`;
  const share = fixed(exceedanceLimit(seeds), 100, 1);
  const all = seeds === 1 ? "one run" : `${seeds} of ${seeds}`;
  return `${held}; a sweep makes more. If ${share} % of all runs went above, ${all} would still hold once in 20 times.`;
}

/** A file or a field with the value to be written there. */
export interface LimitLine {
  readonly name: "limits.cpu" | "cpu.max" | "cpu.max.burst";
  readonly text: string;
}

/** What was found in the units of those who write it. */
export interface LimitUnits {
  /** "5.3 CPUs"; undefined where no limit was found. */
  readonly cpus: string | undefined;
  readonly lines: readonly LimitLine[];
}

/** The kubelet's period, ns: with another one a limit in millicores would be another limit. */
const KUBELET_PERIOD_NS = 100_000_000;

/** A limit in ns of every period, and a burst in us. Rounded up, since what was found is the least. */
export function limitUnits(limitNs: number | undefined, periodNs: number, burstUs: number | undefined): LimitUnits {
  const lines: LimitLine[] = [];
  if (limitNs !== undefined) {
    if (periodNs === KUBELET_PERIOD_NS) lines.push({ name: "limits.cpu", text: `${Math.ceil((limitNs * 1_000) / periodNs)}m` });
    lines.push({ name: "cpu.max", text: `${Math.ceil(limitNs / 1_000)} ${Math.round(periodNs / 1_000)}` });
  }
  if (burstUs !== undefined && burstUs > 0) lines.push({ name: "cpu.max.burst", text: String(Math.ceil(burstUs)) });
  return { cpus: limitNs === undefined ? undefined : cpusText(limitNs / periodNs), lines };
}

function cpusText(cpus: number): string {
  const rounded = Math.ceil(Math.round(cpus * 1e6) / 1e3) / 1e3;
  return rounded === 1 ? "1 CPU" : `${rounded} CPUs`;
}
