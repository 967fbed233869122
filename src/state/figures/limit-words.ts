// "The smallest limit that does it is z; a burst of w does it too", from two searches. Knows words only.

import { fixed } from "../../lib/format.ts";
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
}

/** Sentences as far as the searches have come. A search that was stopped says nothing. */
export function limitSentences(found: LimitFound): readonly string[] {
  const limit = limitSentence(found);
  const burst = burstSentence(found);
  const anyFound = found.limit?.kind === "found" || found.burst?.kind === "found";
  const sure = anyFound ? sureSentence(found) : undefined;
  return [limit, burst, sure].filter((sentence) => sentence !== undefined);
}

function limitSentence({ limit, limitText, mostLimit, goal }: LimitFound): string | undefined {
  if (limit === undefined || limit.kind === "probe") return undefined;
  if (limit.kind === "none") return `No limit up to ${limitText(mostLimit)} keeps ${goal}: something else holds it back.`;
  const least = limit.below === undefined ? " None below it was tried." : "";
  const odd = limit.contradicted ? " A greater one does not: look at the whole sweep." : "";
  return `The smallest limit that keeps ${goal} is ${limitText(limit.value)}.${least}${odd}`;
}

function burstSentence({ burst, burstText, hasBurst }: LimitFound): string | undefined {
  if (!hasBurst) return "This kernel has no cpu.max.burst, which came with 5.14.";
  if (burst === undefined || burst.kind === "probe") return undefined;
  if (burst.kind === "none") return "With the limit as it is, no burst does it: the kernel takes none above the quota.";
  if (burst.value === 0) return "The limit as it is does it without a burst.";
  return `With the limit as it is, a burst of ${burstText(burst.value)} does it too.`;
}

function sureSentence({ seeds }: LimitFound): string {
  const share = fixed(exceedanceLimit(seeds), 100, 1);
  return `Tried on ${seeds} seeds: with 95 % confidence, at most ${share} % of all seeds go above.`;
}
