// What runs come to, computed before the viewer asks for them and without their rows. It must not
// know which runs are likely.

import { runBatch, type Batch } from "../../engine/batch.ts";
import type { EngineClient, RunRequest } from "../../engine/protocol.ts";
import { reportInWords } from "../../scenario/engine-texts.ts";
import type { KeptRuns } from "./finished-runs.ts";

export class ReportsAhead {
  readonly #kept: KeptRuns;
  readonly #make: () => EngineClient;
  #batch: Batch | undefined;
  #awaited = false;

  constructor(kept: KeptRuns, make: () => EngineClient) {
    this.#kept = kept;
    this.#make = make;
  }

  get busy(): boolean {
    return this.#batch !== undefined;
  }

  /** The caller of `compute` goes on when the reports under way are there. */
  get awaited(): boolean {
    return this.#awaited;
  }

  /**
   * Computes the reports, on `workers` workers at a time, instead of what was under way, and has
   * them kept; `then` is called when all have answered.
   */
  compute(requests: readonly RunRequest[], workers: number, then?: () => void): void {
    this.drop();
    if (requests.length === 0) return;
    this.#awaited = then !== undefined;
    const batch = runBatch(
      requests.map((request): RunRequest => ({ ...request, trace: "none" })),
      (index, answer) => {
        const request = requests[index];
        if (request !== undefined && answer.kind === "report" && answer.limit === undefined)
          this.#kept.foresee(request, reportInWords(answer.report));
      },
      workers,
      this.#make,
    );
    this.#batch = batch;
    void batch.done.then(() => {
      if (this.#batch !== batch) return;
      this.drop();
      then?.();
    });
  }

  drop(): void {
    this.#batch?.cancel();
    this.#batch = undefined;
    this.#awaited = false;
  }
}
