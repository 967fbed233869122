// Drives one engine at a time in pieces, so that a worker can hear a cancel between two of them. It
// knows the wasm and the messages; it must not know that it lives in a worker, which is how Node
// tests it.

import {
  commonPast,
  OTHER_SIDE,
  writesTasks,
  type Change,
  type FromWorker,
  type RunRequest,
  type ToWorker,
  type TraceChunk,
  type WakeChunk,
} from "./protocol.ts";
import { bytesOf } from "../lib/hexadecimal.ts";
import type { Handover, KnobValue, Report, RunReport, ScenarioError } from "./gen/types.ts";
import { replayCommand } from "./replay.ts";
import { crashForTest, Engine } from "./wasm/engine.js";
import { prepare, refused } from "./wasm/reader.js";

/**
 * The first piece is small so that a picture appears at once; later ones are large so that messages
 * cost nothing.
 */
const FIRST_ROWS = 16_384;
const MAX_ROWS = 65_536;
/**
 * How long one piece may take, ms: a cancel that comes meanwhile waits so long. A scenario decides
 * what a step costs, so the clock does how many.
 */
const PIECE_MS = 20;
const FIRST_STEPS = 4_096;
const MIN_STEPS = 64;
const MAX_STEPS = 4_194_304;
/**
 * Rows sent and not yet dealt with: more would only pile up in the page's memory, these take 16 MB.
 * Rows, not chunks: the first ones are small, and the page that they come to is busy with its own
 * coming up. A chunk counts as this many at least. A run of so many rows is through as soon as the
 * engine is, whatever else the page does.
 */
const UNDER_WAY_MAX = 12 * MAX_ROWS;
const CHUNK_ROWS_MIN = 4_096;

const prepareRun: (slug: string, text: string, setJson: string, writesTasks: boolean) => string =
  prepare;

/** What `Engine.advance` says before the name of a limit. */
const LIMIT = "limit: ";

/** The driver's way out. */
export interface Outlet {
  /** Sends a message; the buffers in `transfer` leave with it. */
  post(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
  /** Calls `step` after whatever messages are waiting. */
  later(step: () => void): void;
  /** A clock, ms. It decides where a run pauses, which changes nothing in it. */
  now(): number;
}

/**
 * What a new run may go on from: an engine with the snapshots of another one, which it takes over.
 */
interface Before {
  readonly request: RunRequest;
  readonly prepared: Handover;
  readonly engine: Engine;
  /** At most so late, and with so many changes written. */
  readonly ns: number;
  readonly changes: number;
}

interface Current {
  readonly run: number;
  readonly request: RunRequest;
  before: Before | undefined;
  /** Kept when the run is over: its snapshots are where the next one may begin. */
  engine: Engine | undefined;
  /**
   * What the reader made of the request; there from the start for a run prepared when the page was
   * built.
   */
  prepared: Handover | undefined;
  rows: number;
  /** Steps of the next piece. */
  steps: number;
  /** It went on from the past of another one. */
  resumed: boolean;
  /** There is no more to be done. */
  over: boolean;
  /** How many rows each chunk under way has. */
  readonly underWay: number[];
}

export class Driver {
  readonly #outlet: Outlet;
  #current: Current | undefined;
  /** After a panic the engine's memory is not to be trusted: nothing runs any more. */
  #poisoned = false;
  #crashAsked = false;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  handle(message: Exclude<ToWorker, { readonly type: "init" | "reader" | "ping" }>): void {
    switch (message.type) {
      case "run":
        this.#start(message.run, message.request, message.prepared, message.pastNs);
        break;
      case "cancel":
        if (this.#current?.run === message.run) this.#drop();
        break;
      case "taken":
        if (this.#current?.run === message.run) this.#taken(this.#current);
        break;
      case "crash":
        this.#crashAsked = true;
        this.#later();
        break;
    }
  }

  #start(
    run: number,
    request: RunRequest,
    prepared: Handover | undefined,
    pastNs: number | undefined,
  ): void {
    const before = pastNs === undefined ? undefined : this.#beginning(request, pastNs);
    if (before === undefined) this.#drop();
    const fresh = {
      engine: undefined,
      rows: FIRST_ROWS,
      steps: FIRST_STEPS,
      resumed: false,
      over: false,
      underWay: [],
    };
    this.#current = { run, request, prepared, before, ...fresh };
    this.#later();
  }

  /**
   * What the present run has in common with a new one. A run with stoppers that are not needed any
   * more begins anew, since it reports them.
   */
  #beginning(request: RunRequest, pastNs: number): Before | undefined {
    const { engine, prepared, request: old, before } = this.#current ?? {};
    // A run that has not begun yet has an engine only in what it was to begin from.
    if (before !== undefined && engine === undefined)
      return this.#narrowed(before, request, pastNs);
    if (engine === undefined || prepared === undefined || old === undefined || this.#poisoned)
      return undefined;
    return this.#narrowed(
      { request: old, prepared, engine, ns: Infinity, changes: Infinity },
      request,
      pastNs,
    );
  }

  #narrowed(before: Before, request: RunRequest, pastNs: number): Before | undefined {
    const common = commonPast(before.request, request);
    // Writes to tasks bring stoppers, and with them balancing may have gone another way from the
    // start.
    if (
      common === undefined ||
      common.ns < 0 ||
      writesTasks(before.request) !== writesTasks(request)
    )
      return undefined;
    return {
      ...before,
      ns: Math.min(before.ns, common.ns, pastNs),
      changes: Math.min(before.changes, common.changes),
    };
  }

  #taken(current: Current): void {
    const waited = isFull(current.underWay);
    current.underWay.shift();
    if (waited && !isFull(current.underWay) && current.engine !== undefined && !current.over)
      this.#later();
  }

  #later(): void {
    const { run } = this.#current ?? {};
    this.#outlet.later(() => {
      if (this.#current?.run === run) this.#guarded();
    });
  }

  #guarded(): void {
    if (this.#poisoned) return;
    const current = this.#current;
    try {
      if (this.#crashAsked) crashForTest();
      if (current !== undefined) this.#step(current);
    } catch (error) {
      this.#poisoned = true;
      this.#fault(current, error instanceof Error ? error.message : String(error));
    }
  }

  #step(current: Current): void {
    current.engine ??= this.#open(current);
    const { engine } = current;
    if (engine === undefined) return;
    const { changes, untilNs = Number.MAX_VALUE } = current.request;
    const next = changes?.[engine.changes()];
    const began = this.#outlet.now();
    const progress = engine.advance(
      Math.min(next?.[0] ?? Number.MAX_VALUE, untilNs),
      current.rows,
      current.steps,
    );
    current.steps = stepsAfter(current.steps, this.#outlet.now() - began);
    if (next !== undefined && engine.hasReached(next[0])) {
      if (!engine.change(next[1], valueWord(next[2]))) {
        this.#refuse(current, next);
        return;
      }
    }
    current.rows = Math.min(current.rows * 2, MAX_ROWS);
    if (current.request.trace !== "none") this.#postChunk(current, engine);
    if (progress === "finished") this.#end(current, engine, undefined);
    else if (progress.startsWith(LIMIT)) this.#end(current, engine, progress.slice(LIMIT.length));
    else if (progress !== "running") {
      this.#fault(current, progress);
      this.#drop();
    } else if (engine.hasReached(untilNs)) this.#end(current, engine, OTHER_SIDE);
    else if (!isFull(current.underWay)) this.#later();
  }

  #end(current: Current, engine: Engine, limit: string | undefined): void {
    const report = reportOf(current.prepared, engine);
    current.over = true;
    if (current.request.trace === "none") this.#free(current);
    this.#outlet.post({ type: "finished", run: current.run, report, limit }, []);
  }

  /**
   * The engine of a new run; undefined if the scenario is refused, which the page is sent first.
   */
  #open(current: Current): Engine | undefined {
    const { run, request, before } = current;
    current.before = undefined;
    // Machine and programs are as before, so the reader's answer is known.
    if (before !== undefined) current.prepared = before.prepared;
    current.prepared ??= this.#read(run, request);
    if (current.prepared === undefined) {
      before?.engine.free();
      return undefined;
    }
    const { setup, meta } = current.prepared;
    const fromNs = before?.engine.resume(before.ns, before.changes, writesTasks(request));
    if (before !== undefined && fromNs !== undefined) {
      current.resumed = true;
      this.#outlet.post({ type: "meta", run, meta, setup }, []);
      this.#outlet.post({ type: "resumed", run, fromNs, rows: before.engine.records() }, []);
      return before.engine;
    }
    before?.engine.free();
    const engine = new Engine(bytesOf(setup), request.maxRecords, request.trace !== "none");
    this.#outlet.post({ type: "meta", run, meta, setup }, []);
    return engine;
  }

  #read(run: number, request: RunRequest): Handover | undefined {
    try {
      return JSON.parse(
        prepareRun(request.slug, request.text, JSON.stringify(request.set), writesTasks(request)),
      ) as Handover;
    } catch (refusal) {
      if (typeof refusal !== "string") throw refusal;
      this.#current = undefined;
      this.#outlet.post(
        { type: "scenario_error", run, error: JSON.parse(refusal) as ScenarioError },
        [],
      );
      return undefined;
    }
  }

  /**
   * The running kernel does not take the value: sysctls check each other, a switch may be missing
   * in this kernel. A run from the start hands over what came before, so that there is a picture.
   */
  #refuse(current: Current, [atNs, path, value]: Change): void {
    const { run, request } = current;
    current.over = true;
    if (!current.resumed && request.trace !== "none" && current.engine !== undefined)
      this.#postChunk(current, current.engine);
    const error = refused(
      request.slug,
      request.text,
      JSON.stringify(request.set),
      writesTasks(request),
      atNs,
      path,
      valueWord(value),
    );
    this.#outlet.post(
      { type: "scenario_error", run, error: JSON.parse(error) as ScenarioError },
      [],
    );
  }

  #postChunk(current: Current, engine: Engine): void {
    const trace = takeTrace(engine);
    const wakes = takeWakes(engine);
    const transfer = [...Object.values({ ...trace }), ...Object.values({ ...wakes })].map(
      (column) => column.buffer as ArrayBuffer,
    );
    current.underWay.push(trace.time.length);
    const reached = { simulatedNs: engine.now(), shareDone: engine.shareDone() };
    this.#outlet.post({ type: "chunk", run: current.run, reached, trace, wakes }, transfer);
  }

  #fault(current: Current | undefined, message: string): void {
    const { prepared, request, run } = current ?? {};
    const meta = prepared?.meta;
    const own = (request?.changes ?? []).length === 0 ? meta?.replay : undefined;
    const replay = own ?? (request === undefined ? "" : replayCommand(request));
    const where =
      request === undefined
        ? ""
        : ` (scenario ${request.slug}${meta === undefined ? "" : `, seed ${meta.seed}`})`;
    this.#outlet.post({ type: "fault", run: run ?? 0, message: message + where, replay }, []);
  }

  #drop(): void {
    if (this.#current !== undefined && !this.#poisoned) this.#free(this.#current);
    this.#current = undefined;
  }

  #free(current: Current): void {
    current.engine?.free();
    current.before?.engine.free();
    current.engine = undefined;
    current.before = undefined;
  }
}

function isFull(underWay: readonly number[]): boolean {
  return underWay.reduce((sum, rows) => sum + Math.max(rows, CHUNK_ROWS_MIN), 0) >= UNDER_WAY_MAX;
}

/**
 * Half to twice as many steps, so that a piece takes about as long as it may; one slow look at the
 * clock moves it no further.
 */
function stepsAfter(steps: number, tookMs: number): number {
  const share = Math.min(2, Math.max(0.5, PIECE_MS / Math.max(tookMs, 0.1)));
  return Math.round(Math.min(MAX_STEPS, Math.max(MIN_STEPS, steps * share)));
}

function takeTrace(engine: Engine): TraceChunk {
  const columns = engine.takeTrace();
  const chunk = {
    time: columns.time(),
    kind: columns.kind(),
    cpu: columns.cpu(),
    a: columns.a(),
    b: columns.b(),
  };
  columns.free();
  return chunk;
}

function takeWakes(engine: Engine): WakeChunk {
  const columns = engine.takeWakes();
  const chunk = {
    task: columns.task(),
    nth: columns.nth(),
    cpu: columns.cpu(),
    due: columns.due(),
    latency: columns.latency(),
    segmentsEnd: columns.segmentsEnd(),
    segmentCause: columns.segmentCause(),
    segmentNs: columns.segmentNs(),
  };
  columns.free();
  return chunk;
}

/**
 * The reader knows which run it is, the engine what happened in it; between them they name every
 * key.
 */
function reportOf(prepared: Handover | undefined, engine: Engine): RunReport {
  if (prepared === undefined) throw new Error("a run without its scenario");
  return { ...prepared.head, ...(JSON.parse(engine.report()) as Report) };
}

/** Two hexadecimal digits a byte. */
/** A switch's value as the engine reads it. */
function valueWord(value: KnobValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
