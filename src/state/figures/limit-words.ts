// "The smallest limit that does it is z; a burst of w does it too", from two searches. Knows words
// only.

import { plainText } from "../../engine/plain.ts";
import { exceedanceLimit, type BisectAnswer, type Probe } from "../../scenario/bisect.ts";

/** What two searches came to, and how a limit and a burst are written. */
export interface LimitFound {
  /** "web.request: p99 at or under 50 ms". */
  readonly goal: string;
  /** Runs at each value. */
  readonly seeds: number;
  /** Whether each of them begins the period at another instant. */
  readonly phases: boolean;
  readonly limit: BisectAnswer | undefined;
  readonly burst: BisectAnswer | undefined;
  /** Whether the kernel has cpu.max.burst. */
  readonly hasBurst: boolean;
  readonly limitText: (value: number) => string;
  readonly burstText: (value: number) => string;
  /** Least and greatest limit that were tried. */
  readonly leastLimit: number;
  readonly mostLimit: number;
  /** A figure of the metric: "61 ms". */
  readonly metricText: (value: number) => string;
}

/** Sentences as far as the searches have come. A search that was stopped says nothing. */
export function limitSentences(found: LimitFound): readonly string[] {
  const limit = limitSentence(found);
  const burst = burstSentence(found);
  const anyFound = [found.limit, found.burst].some(
    (answer) => answer !== undefined && "value" in answer && answer.kind !== "probe",
  );
  const sure = anyFound ? sureWords(found.seeds, found.phases) : undefined;
  return [limit, burst, sure].filter((sentence) => sentence !== undefined);
}

/**
 * The least value that was found to be enough; undefined where none was, or where it is not the
 * least that is asked for.
 */
export function leastOf(answer: BisectAnswer | undefined): number | undefined {
  return answer?.kind === "smallest" || answer?.kind === "both" ? answer.value : undefined;
}

function limitSentence({
  limit,
  limitText,
  leastLimit,
  mostLimit,
  metricText,
  goal,
}: LimitFound): string | undefined {
  switch (limit?.kind) {
    case undefined:
    case "probe":
      return undefined;
    case "neither": {
      if (limit.to.why !== undefined)
        return noAnswer(`a limit of ${limitText(mostLimit)}`, limit.to.why);
      const [least, most] = [limit.from, limit.to].map((end) => endText(end, metricText));
      return `Neither the least limit that was tried, ${limitText(leastLimit)}, nor the greatest, ${limitText(mostLimit)}, is enough for ${goal}: it is ${least ?? ""} with the one and ${most ?? ""} with the other. Something else may hold it back, or it needs more than the greatest; nothing between them was tried.`;
    }
    case "both":
      return `A limit of ${limitText(limit.value)} is enough for ${goal}; no smaller one was tried.`;
    case "smallest":
      return limit.past === undefined
        ? `The smallest limit that is enough for ${goal}: ${limitText(limit.value)}.`
        : `A limit of ${limitText(limit.value)} is enough for ${goal}, and so is every greater one that was tried. ${oddText(limit.past, limit.next, limitText)}`;
    case "greatest":
      return `A limit of ${limitText(leastLimit)} is enough for ${goal}, and one of ${limitText(mostLimit)} is not: it gets worse with the limit. ${limit.past === undefined ? "The greatest that is enough" : "The greatest up to which all that were tried are enough"}: ${limitText(limit.value)}. Look at the whole sweep.`;
  }
}

function endText({ worst }: Probe, metricText: (value: number) => string): string {
  return worst === undefined ? "unknown" : metricText(worst);
}

/**
 * The words where the greatest value that was tried gives no figure. `why`: the reason, which may
 * contain the engine's own words.
 */
export function noAnswer(value: string, why: string): string {
  return `With ${value} there is no answer: ${plainText(why)}${/[.!?]$/.test(why) ? "" : "."}`;
}

/** `past` is enough, and the greater `next` is not. */
function oddText(past: number, { value }: Probe, text: (value: number) => string): string {
  return `${text(past)} is enough, too, but the greater ${text(value)} is not: look at the whole sweep.`;
}

function burstSentence({
  limit,
  burst,
  burstText,
  metricText,
  hasBurst,
}: LimitFound): string | undefined {
  if (!hasBurst) return "This kernel has no cpu.max.burst, which came with 5.14.";
  switch (burst?.kind) {
    case undefined:
    case "probe":
      return undefined;
    case "neither": {
      if (burst.to.why !== undefined)
        return noAnswer("the limit as it is and the greatest burst", burst.to.why);
      const ends = [burst.from, burst.to].map((end) => endText(end, metricText));
      return `With the limit as it is, neither no burst nor the greatest is enough: ${ends.join(" and ")}. The kernel takes none above the quota.`;
    }
    case "both":
      return "The limit as it is needs no burst for it.";
    case "smallest": {
      const too = leastOf(limit) === undefined ? "" : " too";
      const odd = burst.past === undefined ? "" : ` ${oddText(burst.past, burst.next, burstText)}`;
      return `With the limit as it is, a burst of ${burstText(burst.value)} does it${too}.${odd}`;
    }
    case "greatest": {
      const most =
        burst.value === 0
          ? "a burst makes it worse"
          : `a burst above ${burstText(burst.value)} makes it worse`;
      return `The limit as it is needs no burst for it: ${most}.`;
    }
  }
}

/**
 * How sure the bound is, in runs (`exceedanceLimit`). `phases`: each run began the period at
 * another instant. Runs spread over the period all stay under a bound at most as often as equally
 * many runs drawn at random, so the share is no smaller than it should be. The share is that of the
 * one value named.
 */
export function sureWords(seeds: number, phases = false): string {
  const share = `Of all runs, up to ${Math.ceil(exceedanceLimit(seeds) / 100)} % may still go above the bound (95 % confidence).`;
  if (seeds === 1) return `The bound held in the one run that was made. ${share}`;
  const differ = phases
    ? `, in which the quota’s period began at ${seeds} different instants`
    : " with different random numbers";
  return `The bound held in ${seeds} of ${seeds} runs${differ}. ${share}`;
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

/**
 * A limit in ns of every period, and a burst in us. Rounded up, since what was found is the least.
 */
export function limitUnits(
  limitNs: number | undefined,
  periodNs: number,
  burstUs: number | undefined,
): LimitUnits {
  const lines: LimitLine[] = [];
  if (limitNs !== undefined) {
    if (periodNs === KUBELET_PERIOD_NS)
      lines.push({ name: "limits.cpu", text: `${Math.ceil((limitNs * 1_000) / periodNs)}m` });
    lines.push({
      name: "cpu.max",
      text: `${Math.ceil(limitNs / 1_000)} ${Math.round(periodNs / 1_000)}`,
    });
  }
  if (burstUs !== undefined && burstUs > 0)
    lines.push({ name: "cpu.max.burst", text: String(Math.ceil(burstUs)) });
  return { cpus: limitNs === undefined ? undefined : cpusText(limitNs / periodNs), lines };
}

function cpusText(cpus: number): string {
  const rounded = Math.ceil(Math.round(cpus * 1e6) / 1e3) / 1e3;
  return rounded === 1 ? "1 CPU" : `${rounded} CPUs`;
}
