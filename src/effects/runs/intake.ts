// Takes in what one run's engine says, in order, and passes it on: an end is passed on only when
// every row before it is in the run's store. Sides, strips and tiles hear their runs through this.
// It must not know what is done with the run.

import type { RunMeta, RunReport, ScenarioError } from "../../engine/gen/types.ts";
import type {
  Blame,
  Reached,
  RunListener,
  RunRequest,
  TraceChunk,
  WakeChunk,
} from "../../engine/protocol.ts";
import { TraceStore } from "../../model/index.ts";
import { quotaWrites } from "../../scenario/quota-writes.ts";
import { metaInWords, reportInWords } from "../../scenario/engine-texts.ts";
import { Feeder, type Turns } from "./feeder.ts";

/** What is heard of a run. Texts are as the page spells them. */
export interface Hearing {
  /** The store is there, with nothing in it yet. */
  readonly onMeta?: (meta: RunMeta, trace: TraceStore) => void;
  /** Now and then while the store grows; `shareDone` of the way, hundredths of a per cent. */
  readonly onGrown?: (shareDone: number, trace: TraceStore) => void;
  /**
   * The engine is through, by itself: what the run came to, while its last rows are still taken in.
   */
  readonly onReported?: (report: RunReport) => void;
  readonly onFinished: (report: RunReport, limit: string | undefined) => void;
  readonly onScenarioError: (error: ScenarioError) => void;
  readonly onFault: (message: string, replay: string, blame: Blame) => void;
}

interface Taken {
  /** The store whose rows may be the run's beginning. */
  readonly known?: TraceStore | undefined;
  /** Another run is on screen meanwhile. */
  readonly replaces?: boolean;
  /** What the run does later is not taken in, ns. */
  readonly untilNs?: number;
}

export class Intake implements RunListener {
  readonly #request: RunRequest;
  readonly #turns: Turns;
  readonly #hearing: Hearing;
  readonly #untilNs: number;
  readonly #replaces: boolean;
  #known: TraceStore | undefined;
  #trace: TraceStore | undefined;
  #feeder: Feeder | undefined;
  #resumed = false;

  constructor(
    request: RunRequest,
    turns: Turns,
    hearing: Hearing,
    { known, replaces = false, untilNs = Infinity }: Taken = {},
  ) {
    this.#request = request;
    this.#turns = turns;
    this.#hearing = hearing;
    this.#known = known;
    this.#replaces = replaces;
    this.#untilNs = untilNs;
  }

  onMeta(meta: RunMeta, setup?: string): void {
    const plain = metaInWords(meta);
    const trace = new TraceStore(plain, quotaWrites(this.#request.changes), setup);
    this.#trace = trace;
    this.#hearing.onMeta?.(plain, trace);
    this.#feeder = new Feeder(
      trace,
      this.#turns,
      (shareDone) => this.#hearing.onGrown?.(shareDone, trace),
      this.#replaces,
    );
  }

  onResumed(fromNs: number, rows: number): void {
    this.#resumed = true;
    if (this.#known !== undefined) this.#feeder?.begin(this.#known, fromNs, rows);
    this.#known = undefined;
  }

  onChunk(reached: Reached, trace: TraceChunk, wakes: WakeChunk, taken: () => void): void {
    if ((this.#trace?.endNs ?? 0) > this.#untilNs) taken();
    else this.#feeder?.add({ reached, trace, wakes, taken });
  }

  onFinished(report: RunReport, limit: string | undefined): void {
    const plain = reportInWords(report);
    if (limit === undefined) this.#hearing.onReported?.(plain);
    this.#atEnd(() => this.#hearing.onFinished(plain, limit));
  }

  /**
   * A run that goes on from another one leaves that one on screen; any other shows what came before
   * the write that is refused.
   */
  onScenarioError(error: ScenarioError): void {
    if (this.#resumed) this.#hearing.onScenarioError(error);
    else this.#atEnd(() => this.#hearing.onScenarioError(error));
  }

  onFault(message: string, replay: string, blame: Blame): void {
    this.#atEnd(() => this.#hearing.onFault(message, replay, blame));
  }

  /** Forgets what is not yet taken in, and reports nothing more. */
  stop(): void {
    this.#feeder?.stop();
  }

  #atEnd(done: () => void): void {
    if (this.#feeder === undefined) done();
    else this.#feeder.end(done);
  }
}
