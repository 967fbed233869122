// Runs the sizes of a machine that a viewer looks at, one size after another, both sides of a size
// at once, on workers of their own. What is known stays for the next time; what was stopped does not.

import { runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import { plainText } from "../../engine/plain.ts";
import type { State } from "../../state/shape/state.ts";
import { sizeRequests, type SizeOutcome, type SizeRun } from "../../state/sweep/sizes.ts";
import type { Runs } from "./search-run.ts";

/** Sizes that are remembered, of any scenario: a report has a few kB. */
const KEPT_MAX = 64;
const kept = new Map<string, SizeRun>();

export interface SizeRunner {
  /** Sizes that are in view: these run, the smallest first. */
  readonly want: (sizes: readonly number[]) => void;
  /** Ends what runs. */
  readonly stop: () => void;
}

type Asked = Pick<State, "entry" | "knobs" | "moreRecords">;

/** `heard`: called with every size that is done, at once for those that are known. */
export function sizeRunner(
  asked: Asked,
  heard: (run: SizeRun) => void,
  run: Runs = runBatch,
): SizeRunner {
  const done = new Set<number>();
  let wanted: readonly number[] = [];
  let batch: Batch | undefined;
  let stopped = false;
  const finish = (size: SizeRun): void => {
    done.add(size.cpus);
    heard(size);
  };
  const next = (): void => {
    if (stopped || batch !== undefined) return;
    const cpus = wanted.find((size) => !done.has(size));
    if (cpus === undefined) return;
    const requests = sizeRequests(asked, cpus);
    const key = JSON.stringify(requests);
    const known = kept.get(key);
    if (known !== undefined) {
      finish(known);
      next();
      return;
    }
    const outcomes: SizeOutcome[] = [];
    batch = run(requests, (index, answer) => (outcomes[index] = outcomeOf(answer)));
    void batch.done.then(() => {
      batch = undefined;
      const [a, b] = outcomes;
      if (stopped || a === undefined || b === undefined) return;
      const size = { cpus, outcomes: { a, b } };
      keep(key, size);
      finish(size);
      next();
    });
  };
  return {
    want: (sizes) => {
      wanted = sizes.toSorted((one, other) => one - other);
      next();
    },
    stop: () => {
      stopped = true;
      batch?.cancel();
    },
  };
}

function keep(key: string, size: SizeRun): void {
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  kept.set(key, size);
}

function outcomeOf(answer: BatchAnswer): SizeOutcome {
  switch (answer.kind) {
    case "report":
      return answer.limit === undefined
        ? { kind: "report", report: answer.report }
        : { kind: "none", why: `A limit ended the run: ${answer.limit}.` };
    case "refused":
      return { kind: "none", why: plainText(answer.error.message) };
    case "fault":
      return { kind: "none", why: plainText(answer.message) };
  }
}
