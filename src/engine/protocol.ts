// What the page and an engine worker say to each other. Commands carry a run number; answers to an
// older run are dropped.

import type { Handover, KnobValue, RunMeta, RunReport, ScenarioError } from "./gen/types.ts";

/** One scenario with changes laid over it, in order. */
export interface RunRequest {
  readonly slug: string;
  /** The scenario file's text. */
  readonly text: string;
  /** Knob changes, applied in order after the file. */
  readonly set: readonly (readonly [path: string, value: KnobValue])[];
  /**
   * Live switches written to the running kernel, in order of time: what comes before an instant is
   * as without them.
   */
  readonly changes?: readonly Change[];
  /** The run stops, marked incomplete, after this many trace rows. */
  readonly maxRecords: number;
  /** The run stops there, marked incomplete, if it comes so far: where the other side had to. */
  readonly untilNs?: number;
  /** `none` keeps no rows and no wake-ups, only the report; `full` unless stated. */
  readonly trace?: "full" | "none";
}

/** What ends a run at its request's `untilNs`. */
export const OTHER_SIDE = "other side";

/** A live switch and the instant at which it is written. */
export type Change = readonly [atNs: number, path: string, value: KnobValue];

/**
 * Whether tasks are written to while the run goes on: such a run has stoppers from the start, and
 * is none that was prepared beforehand.
 */
export function writesTasks({ changes = [] }: RunRequest): boolean {
  return changes.some(([, path]) => path.startsWith("tasks."));
}

/**
 * How two runs begin alike: `ns` the last instant that is the same in both, and how many changes
 * are written to both until then. What is written at an instant shows in rows of that instant, so
 * the last alike lies before the first change that differs; -1 if that is at 0.
 */
export interface Common {
  readonly ns: number;
  readonly changes: number;
}

/**
 * What two requests have in common; undefined if they are of other machines, programs or limits.
 */
export function commonPast(one: RunRequest, other: RunRequest): Common | undefined {
  const rest = ({ slug, text, set, maxRecords, trace = "full" }: RunRequest): string =>
    JSON.stringify([slug, text, set, maxRecords, trace]);
  if (rest(one) !== rest(other)) return undefined;
  const [mine, theirs] = [one.changes ?? [], other.changes ?? []];
  let changes = 0;
  while (changes < mine.length && JSON.stringify(mine[changes]) === JSON.stringify(theirs[changes]))
    changes += 1;
  const differ = Math.min(mine[changes]?.[0] ?? Infinity, theirs[changes]?.[0] ?? Infinity);
  return {
    ns: Math.min(differ - 1, one.untilNs ?? Number.MAX_VALUE, other.untilNs ?? Number.MAX_VALUE),
    changes,
  };
}

/** Trace columns of one chunk; rows continue the previous chunk's. */
export interface TraceChunk {
  readonly time: Float64Array;
  readonly kind: Uint8Array;
  readonly cpu: Uint16Array;
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

/** How far a run has come. */
export interface Reached {
  readonly simulatedNs: number;
  /** Share of the way to its end or its nearest limit, hundredths of a per cent. */
  readonly shareDone: number;
}

/** Finished wake-ups of one chunk; `segmentsEnd` counts from the run's first segment. */
export interface WakeChunk {
  readonly task: Uint32Array;
  readonly nth: Uint32Array;
  readonly cpu: Uint16Array;
  readonly due: Float64Array;
  readonly latency: Float64Array;
  readonly segmentsEnd: Uint32Array;
  readonly segmentCause: Uint8Array;
  readonly segmentNs: Uint32Array;
}

export type ToWorker =
  /** First and once: the engine, compiled on the page's main thread. */
  | { readonly type: "init"; readonly module: WebAssembly.Module }
  /** Before the first run that has to be read. */
  | { readonly type: "reader"; readonly module: WebAssembly.Module }
  /**
   * `prepared`: what the reader would make of the request, made when the page was built. `pastNs`:
   * the page has all rows and wake-ups of this run up to that instant, it included, so that the run
   * may begin behind a snapshot at or before it.
   */
  | {
      readonly type: "run";
      readonly run: number;
      readonly request: RunRequest;
      readonly prepared?: Handover | undefined;
      readonly pastNs?: number | undefined;
    }
  | { readonly type: "cancel"; readonly run: number }
  /**
   * Answered as soon as it is heard, so that the page can distinguish a worker that computes from
   * one that hears nothing.
   */
  | { readonly type: "ping"; readonly nth: number }
  /** The page has dealt with one chunk. */
  | { readonly type: "taken"; readonly run: number }
  /** Makes the engine panic: a browser test dispatches it inside the worker to see one die. */
  | { readonly type: "crash" };

export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "pong"; readonly nth: number }
  | {
      readonly type: "meta";
      readonly run: number;
      readonly meta: RunMeta;
      /** `Handover.setup`. */
      readonly setup: string;
    }
  /**
   * After `meta`: what comes are the rows after `fromNs`; up to there, it included, the run wrote
   * `rows`.
   */
  | {
      readonly type: "resumed";
      readonly run: number;
      readonly fromNs: number;
      readonly rows: number;
    }
  | {
      readonly type: "chunk";
      readonly run: number;
      readonly reached: Reached;
      readonly trace: TraceChunk;
      readonly wakes: WakeChunk;
    }
  /**
   * The report's tasks come without their activations. `limit`: which one ended the run early;
   * undefined if none did.
   */
  | {
      readonly type: "finished";
      readonly run: number;
      readonly report: RunReport;
      readonly limit: string | undefined;
    }
  | { readonly type: "scenario_error"; readonly run: number; readonly error: ScenarioError }
  | {
      readonly type: "fault";
      readonly run: number;
      readonly message: string;
      readonly replay: string;
    };

/**
 * The page's handle on one side's engine (`src/engine/client.ts`). One run at a time: `start` drops
 * the previous one. After a fault the worker is replaced and the handle stays usable.
 */
export interface EngineClient {
  /** `pastNs`: see the message `run`; the listener then has `onResumed`. */
  start(request: RunRequest, listener: RunListener, pastNs?: number): void;
  cancel(): void;
  dispose(): void;
}

/**
 * Whose fault it is that there is no result: the engine panicked or broke a law; the browser lacks
 * what it needs; its files did not come; its worker was ended from outside, as browsers do when
 * memory is short.
 */
export type Blame = "engine" | "browser" | "network" | "ended";

export interface RunListener {
  /** `setup`: `Handover.setup`. */
  onMeta(meta: RunMeta, setup?: string): void;
  /**
   * The chunks that come begin after `fromNs`: what is before is what the page has, `rows` rows.
   */
  onResumed?(fromNs: number, rows: number): void;
  /**
   * Call `taken` when the chunk has been dealt with: the engine waits when too many are
   * under way.
   */
  onChunk(reached: Reached, trace: TraceChunk, wakes: WakeChunk, taken: () => void): void;
  /**
   * `limit`: what ended it early: a limit of the engine by its name (`records`, `steps`, `memory`),
   * or `OTHER_SIDE`.
   */
  onFinished(report: RunReport, limit: string | undefined): void;
  onScenarioError(error: ScenarioError): void;
  onFault(message: string, replay: string, blame: Blame): void;
}
