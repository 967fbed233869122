// Computes a run before it is asked for: what the viewer is about to choose. One at a time, on a
// worker of its own, only while the page has nothing else to do; nothing on screen knows of it.
// Runs are deterministic, so the choice then finds its run among the kept ones. A choice that comes
// earlier takes the run over as it is, with its worker. Where several choices are at hand, or in
// sight when nothing has changed for a while, their figures are computed first, without their rows:
// a choice then has its numbers at once, and only its picture is computed.

import type { RunMeta, RunReport } from "../../engine/gen/types.ts";
import type { EngineClient, RunRequest } from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Action } from "../../state/shape/actions.ts";
import { stripsBusy } from "../../state/compare/strips.ts";
import { reduce } from "../../state/reduce/reducer.ts";
import { requestFor, sameRequest } from "../../state/select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import type { Store } from "../../state/store.ts";
import type { Turns } from "./feeder.ts";
import { Intake, type Hearing } from "./intake.ts";
import { sameRun, type KeptRuns, type UnderWay } from "./finished-runs.ts";
import { ReportsAhead } from "./reports-ahead.ts";

/**
 * A side whose last run has more records is not computed ahead: two such runs fit into what is
 * kept.
 */
export const AHEAD_RECORDS = 1_500_000;

/**
 * How long nothing has changed before reports of what is only in sight are computed, ms: a viewer
 * at work is not disturbed.
 */
export const REST_MS = 1_000;
/** How many reports of what is only in sight are computed at a time. */
const REPORTS_AT_ONCE = 6;

/** What the viewer may choose next in this state of the page, the likeliest first. */
type Likely = (state: State) => readonly Action[];

export interface Ahead {
  /**
   * From now on these choices are likely; undefined: none is. `most`: how many runs are computed
   * for them, of other choices only the reports; 0: no choice is at hand.
   */
  want(likely: Likely | undefined, most?: number): void;
}

interface Place {
  readonly store: Store;
  /** Where an engine comes from. */
  readonly make: () => EngineClient;
  readonly turns: Turns;
  readonly kept: KeptRuns;
  /**
   * Whether the viewer's machine is to do more than it was asked: the page is seen, and data is not
   * to be saved.
   */
  readonly may: () => boolean;
  /** How many reports of what is at hand are computed at once. */
  readonly workers: number;
}

export function startAhead(place: Place): Ahead {
  const foresight = new Foresight(place);
  place.kept.underWay = (request) => foresight.giveAway(request);
  place.store.subscribe((state) => {
    if (!isCalm(state)) foresight.end();
    else foresight.goOn();
  });
  return { want: (likely, most = Infinity) => foresight.want(likely, most) };
}

/** What is computed ahead: one run, or reports of several. */
class Foresight {
  readonly #place: Place;
  readonly #reports: ReportsAhead;
  #likely: Likely | undefined;
  #runs = Infinity;
  #flight: Flight | undefined;
  /**
   * Each is computed once for each time that it became likely: not again and again where more is
   * likely than is kept.
   */
  #tried: readonly RunRequest[] = [];
  /**
   * Requests whose reports were asked for, each once for each time that it became likely: a run
   * that is refused has no report.
   */
  #asked: readonly RunRequest[] = [];
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.#reports = new ReportsAhead(place.kept, place.make);
  }

  want(likely: Likely | undefined, most: number): void {
    this.#likely = likely;
    const flight = this.#flight;
    const requests = this.#wanted(this.#place.store.getState());
    if (!requests.some((request) => flight !== undefined && sameRun(request, flight.request)))
      this.end();
    this.#tried = [];
    this.#asked = [];
    this.#runs = most;
    this.goOn();
  }

  /** The run of this request, if it is under way: from now on it is the asker's. */
  giveAway(request: RunRequest): UnderWay | undefined {
    const flight = this.#flight;
    if (flight === undefined || !sameRun(flight.request, request)) return undefined;
    this.#flight = undefined;
    return flight;
  }

  end(): void {
    clearTimeout(this.#resting);
    this.#flight?.drop();
    this.#flight = undefined;
    this.#reports.drop();
  }

  goOn(): void {
    const { store, make, turns, kept } = this.#place;
    const state = store.getState();
    if (!this.#mayGo(state) || this.#reports.awaited || this.#foreseeHand(state)) return;
    const request =
      this.#tried.length < this.#runs
        ? this.#wanted(state).find((each) => !kept.has(each) && !has(this.#tried, each))
        : undefined;
    if (request === undefined) return this.#rest();
    this.#reports.drop();
    this.#tried = [...this.#tried, request];
    this.#flight = new Flight(request, make(), turns, (run) => {
      this.#flight = undefined;
      if (run !== undefined) kept.keep(run);
      kept.trim(store.getState());
      this.goOn();
    });
  }

  #mayGo(state: State): boolean {
    const free = this.#flight === undefined && this.#likely !== undefined;
    return free && this.#place.may() && isCalm(state);
  }

  #wanted(state: State): readonly RunRequest[] {
    return this.#likely?.(state).flatMap((action) => requestsOf(state, action)) ?? [];
  }

  /** The wanted requests without a kept report, each once. */
  #unknown(state: State): readonly RunRequest[] {
    return this.#wanted(state).filter(
      (each, at, all) =>
        this.#place.kept.reportOf(each) === undefined &&
        all.findIndex((other) => sameRun(other, each)) === at,
    );
  }

  #rest(): void {
    clearTimeout(this.#resting);
    if (this.#likely !== undefined && !this.#reports.busy)
      this.#resting = setTimeout(() => this.#foreseeSight(), REST_MS);
  }

  #foreseeSight(): void {
    const state = this.#place.store.getState();
    if (this.#mayGo(state) && !this.#reports.busy)
      this.#reports.compute(this.#unknown(state).slice(0, REPORTS_AT_ONCE), 1);
  }

  /**
   * Numbers of several choices are there sooner than the run of any; that of a single one has its
   * numbers about as soon.
   */
  #foreseeHand(state: State): boolean {
    const requests = this.#unknown(state).filter((each) => !has(this.#asked, each));
    if (this.#runs === 0 || requests.length < (this.#tried.length < this.#runs ? 2 : 1))
      return false;
    this.#asked = [...this.#asked, ...requests];
    this.#reports.compute(requests, this.#place.workers, () => this.goOn());
    return true;
  }
}

function has(requests: readonly RunRequest[], request: RunRequest): boolean {
  return requests.some((each) => sameRun(each, request));
}

/** Both sides are complete and nothing moves. */
function isCalm(state: State): boolean {
  const { sides, playback, undo, linkProblem } = state;
  const done = SIDES.every(
    (side) =>
      sides[side].status.kind === "finished" &&
      sameRequest(requestOn(state, side), requestFor(state, side)),
  );
  return done && !playback.playing && !undo.open && linkProblem === undefined && !stripsBusy(state);
}

function requestOn(state: State, side: Side): RunRequest {
  return state.sides[side].shown?.request ?? requestFor(state, side);
}

/** What sides that are not too big would ask for after an action. */
function requestsOf(state: State, action: Action): readonly RunRequest[] {
  const next = reduce(state, action);
  return SIDES.filter(
    (side) => (state.sides[side].shown?.report?.records ?? Infinity) <= AHEAD_RECORDS,
  )
    .map((side) => requestFor(next, side))
    .filter((request) => SIDES.every((side) => !sameRequest(request, requestOn(state, side))));
}

/** Without a run the flight has failed: a side that asks for the run then hears why. */
type Landed = (run?: Run) => void;

/** A run under way that the viewer has not asked for yet. */
class Flight implements UnderWay {
  readonly request: RunRequest;
  readonly client: EngineClient;
  readonly intake: Intake;
  #begun: { readonly meta: RunMeta; readonly trace: TraceStore } | undefined;
  #reported: RunReport | undefined;
  #hearing: Hearing | undefined;

  constructor(request: RunRequest, client: EngineClient, turns: Turns, landed: Landed) {
    this.request = request;
    this.client = client;
    const fail = (): void => {
      this.drop();
      landed();
    };
    this.intake = new Intake(request, turns, {
      onMeta: (meta, trace) => {
        this.#begun = { meta, trace };
        this.#hearing?.onMeta?.(meta, trace);
      },
      onGrown: (shareDone, trace) => this.#hearing?.onGrown?.(shareDone, trace),
      onReported: (report) => {
        this.#reported = report;
        this.#hearing?.onReported?.(report);
      },
      onFinished: (report, limit) => {
        if (this.#hearing !== undefined) return this.#hearing.onFinished(report, limit);
        if (this.#begun === undefined || limit !== undefined) return fail();
        client.dispose();
        landed({
          id: 0,
          request,
          ...this.#begun,
          version: this.#begun.trace.version,
          simulatedNs: report.simulated_ns,
          report,
        });
      },
      onScenarioError: (error) =>
        this.#hearing === undefined ? fail() : this.#hearing.onScenarioError(error),
      onFault: (...fault) =>
        this.#hearing === undefined ? fail() : this.#hearing.onFault(...fault),
    });
    client.start(request, this.intake);
  }

  hear(hearing: Hearing): void {
    this.#hearing = hearing;
    if (this.#begun !== undefined) hearing.onMeta?.(this.#begun.meta, this.#begun.trace);
    if (this.#reported !== undefined) hearing.onReported?.(this.#reported);
  }

  drop(): void {
    this.intake.stop();
    this.client.dispose();
  }
}
