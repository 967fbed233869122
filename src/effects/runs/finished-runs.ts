// Finished runs, found again by what they are. A run is a function of its request, so a caller that
// asks for a kept run has its result. A finished run's store takes no more rows; what the store
// still makes when it is asked is the same for every caller: sides may share one.

import type { RunReport } from "../../engine/gen/types.ts";
import type { EngineClient, RunRequest } from "../../engine/protocol.ts";
import { sameSet } from "../../scenario/knob-sets.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import type { EndedRun } from "../../state/side-run/side-run.ts";
import type { Hearing, Intake } from "./intake.ts";

/**
 * Records kept beside those of the runs on screen: at some 30 bytes each 90 MB, about what the
 * pictures of two previous runs take. It holds both positions of a switch on both sides of a 64-CPU
 * herd of 50 ms, or the last dozen settings of a usual scenario.
 */
export const KEPT_RECORDS = 3_000_000;

/** Reports kept of runs whose rows were never computed, each some ten to a hundred kB. */
const REPORTS_MAX = 24;

/** What a run will come to. */
interface Foreseen {
  readonly request: RunRequest;
  readonly report: RunReport;
}

/**
 * A run that is computed before the viewer has asked for it. The side that takes it has its worker,
 * too.
 */
export interface UnderWay {
  readonly client: EngineClient;
  readonly intake: Intake;
  /** From now on `hearing` gets what the run reports, and first what it has reported already. */
  hear(hearing: Hearing): void;
}

export class KeptRuns {
  /** Gives the run of this request away if it is just being computed. */
  underWay: ((request: RunRequest) => UnderWay | undefined) | undefined;
  /** In order of their last use. */
  #runs: readonly EndedRun[] = [];
  #foreseen: readonly Foreseen[] = [];
  readonly #room: number;

  /** `room`: records beside those on screen. */
  constructor(room = KEPT_RECORDS) {
    this.#room = room;
  }

  has(request: RunRequest): boolean {
    return this.#runs.some((run) => sameRun(run.request, request));
  }

  /** The run that `request` would make; undefined if it is not kept. */
  find(request: RunRequest): EndedRun | undefined {
    const run = this.#runs.findLast((each) => sameRun(each.request, request));
    if (run !== undefined) this.keep(run);
    return run;
  }

  /** What the run of `request` comes to, if it was computed, be it without its rows. */
  reportOf(request: RunRequest): RunReport | undefined {
    return [...this.#runs, ...this.#foreseen].findLast((each) => sameRun(each.request, request))
      ?.report;
  }

  /**
   * Keeps what a run without rows came to; `request` is that of the run with them. A run that would
   * reach a limit is left out.
   */
  foresee(request: RunRequest, report: RunReport): void {
    if (
      report.complete &&
      report.records <= request.maxRecords &&
      this.reportOf(request) === undefined
    )
      this.#foreseen = [...this.#foreseen.slice(1 - REPORTS_MAX), { request, report }];
  }

  /**
   * Only a run that came to its own end is of its request alone: where another side or memory
   * stopped it, it is not kept.
   */
  keep(run: Run): void {
    const { report } = run;
    if (report?.complete === true && run.request.untilNs === undefined)
      this.#runs = [
        ...this.#runs.filter(({ request }) => !sameRun(request, run.request)),
        { ...run, report },
      ];
  }

  /**
   * Lets go of what is of another scenario than the one that is open, and beside the runs on screen
   * of what was used longest ago.
   */
  trim({ entry, sides, strips }: Pick<State, "entry" | "sides" | "strips">): void {
    const onScreen = new Set(
      [...SIDES.map((side) => sides[side].shown), ...strips.map(({ run }) => run)].map(
        (run) => run?.trace,
      ),
    );
    this.#foreseen = this.#foreseen.filter(({ request }) => request.text === entry.text);
    let room = this.#room;
    this.#runs = this.#runs
      .filter(({ request }) => request.text === entry.text)
      .reduceRight<readonly EndedRun[]>(
        (some, run) =>
          onScreen.has(run.trace) || (room -= run.trace.rows) >= 0 ? [run, ...some] : some,
        [],
      );
  }
}

/**
 * Whether two requests make the same run: in a set each path occurs once, and the order in which
 * they are laid over the file counts nothing.
 */
export function sameRun(one: RunRequest, other: RunRequest): boolean {
  const rest = ({ slug, maxRecords, untilNs, trace = "full", changes = [] }: RunRequest): string =>
    JSON.stringify([slug, maxRecords, untilNs, trace, changes]);
  return one.text === other.text && sameSet(one.set, other.set) && rest(one) === rest(other);
}
