// The page's handle on one side's engine. It owns a worker, drops answers to older runs, and
// replaces a worker that died or is too busy to hear a message.

import { firstRun, firstRunAtOnce } from "./first-runs.ts";
import { type EngineWorker, takeWorker, warmSpare } from "./pool.ts";
import type { Handover } from "./gen/types.ts";
import type { Blame, EngineClient, FromWorker, RunListener, RunRequest } from "./protocol.ts";
import { replayCommand } from "./replay.ts";
import { messageOf, NoEngine } from "./wasm-module.ts";

/**
 * A worker that computes hears many times a second; it is asked this often, ms, and given up after
 * so many questions without a word.
 */
const PULSE_MS = 3_000;
const SILENT_PULSES = 4;

/**
 * A worker that does not answer this long after a message to stop, or to begin something else, is
 * ended, ms.
 */
const SILENT_MS = 1_000;

interface Started {
  readonly run: number;
  readonly request: RunRequest;
  readonly listener: RunListener;
  readonly pastNs: number | undefined;
  /** The listener knows what machine it is. */
  met: boolean;
}

/** One engine for one side of the page; `dispose` ends its worker. */
export function createEngineClient(): EngineClient {
  return new WorkerClient();
}

class WorkerClient implements EngineClient {
  #engine: EngineWorker | undefined;
  #runs = 0;
  #started: Started | undefined;
  #pings = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setTimeout> | undefined;
  /** Whether the worker has said anything since it was last asked. */
  #heard = false;

  start(request: RunRequest, listener: RunListener, pastNs?: number): void {
    this.#runs += 1;
    const started: Started = { run: this.#runs, request, listener, pastNs, met: false };
    this.#started = started;
    let engine: EngineWorker;
    try {
      engine = this.#engine ??= this.#open();
    } catch (error) {
      this.#started = undefined;
      listener.onFault(messageOf(error), replayCommand(request), blameOf(error));
      return;
    }
    this.#expectAnswer(engine);
    this.#watch(engine, started, 0);
    // At once where it can be: a promise would let the page draw first, and the worker idle
    // meanwhile.
    const first = firstRunAtOnce(request);
    if (engine.isReady && first !== undefined && (first.prepared !== undefined || engine.canRead)) {
      this.#run(engine, started, first.prepared);
      return;
    }
    Promise.all([this.#prepared(engine, request), engine.ready]).then(
      ([prepared]) => this.#run(engine, started, prepared),
      (error: unknown) => this.#died(engine, messageOf(error), { blame: blameOf(error) }),
    );
  }

  #run(engine: EngineWorker, started: Started, prepared: Handover | undefined): void {
    if (this.#started !== started || this.#engine !== engine) return;
    const { run, request, pastNs } = started;
    engine.send({ type: "run", run, request, prepared, pastNs });
    // The worker would say the same, after it has come up.
    if (prepared !== undefined && pastNs === undefined) meet(started, prepared);
  }

  cancel(): void {
    const { run } = this.#started ?? {};
    this.#started = undefined;
    if (run === undefined || this.#engine === undefined) return;
    this.#engine.send({ type: "cancel", run });
    this.#expectAnswer(this.#engine);
  }

  dispose(): void {
    this.#started = undefined;
    if (this.#engine !== undefined) this.#end(this.#engine);
  }

  /** The last message reaches the worker within a second, or another worker takes its place. */
  #expectAnswer(engine: EngineWorker): void {
    clearTimeout(this.#silence);
    if (!engine.hears) return; // It is still being loaded, and does nothing that could keep it.
    this.#ping(engine);
    // Twice: if it was the page that was busy, answers that wait for it come before the second.
    this.#silence = setTimeout(
      () => (this.#silence = setTimeout(() => this.#replace(engine), SILENT_MS / 2)),
      SILENT_MS / 2,
    );
  }

  /** A browser ends a worker without a message: a run whose worker falls silent has failed. */
  #watch(engine: EngineWorker, started: Started, silent: number): void {
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => {
      if (this.#engine !== engine || this.#started !== started) return;
      const missed = this.#heard || !engine.hears ? 0 : silent + 1;
      this.#heard = false;
      if (missed >= SILENT_PULSES) {
        this.#died(
          engine,
          "The simulator’s worker has stopped answering: the browser has ended it, perhaps for lack of memory.",
          {
            blame: "ended",
          },
        );
        return;
      }
      if (engine.hears) this.#ping(engine);
      this.#watch(engine, started, missed);
    }, PULSE_MS);
  }

  #ping(engine: EngineWorker): void {
    this.#pings += 1;
    engine.send({ type: "ping", nth: this.#pings });
  }

  #replace(engine: EngineWorker): void {
    this.#end(engine);
    const started = this.#started;
    if (started === undefined) warmSpare();
    else this.start(started.request, started.listener, started.pastNs);
  }

  #end(engine: EngineWorker): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#pulse);
    engine.worker.terminate();
    if (this.#engine === engine) this.#engine = undefined;
  }

  /** Nothing if the worker is to read the scenario itself; by then it has the reader. */
  async #prepared(engine: EngineWorker, request: RunRequest): Promise<Handover | undefined> {
    const prepared = await firstRun(request);
    if (prepared === undefined) await engine.reads();
    return prepared;
  }

  #open(): EngineWorker {
    const engine = takeWorker();
    engine.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(engine, data);
    // One that has never said anything did not get its own file.
    engine.worker.onerror = (event) =>
      this.#died(engine, event.message || "The simulator’s worker could not be started.", {
        blame: engine.hears ? "engine" : "network",
      });
    engine.worker.onmessageerror = () =>
      this.#died(engine, "A message of the simulator’s worker was unreadable.", {});
    return engine;
  }

  #hear(engine: EngineWorker, message: FromWorker): void {
    this.#heard = true;
    if (message.type === "ready") return;
    if (message.type === "pong") {
      if (message.nth === this.#pings) clearTimeout(this.#silence);
      return;
    }
    if (message.type === "fault") {
      const { request, listener, run, pastNs } = this.#started ?? {};
      this.#died(engine, message.message, { replay: message.replay, run: message.run });
      // An older run's death took the worker from under the newer one.
      if (
        request !== undefined &&
        listener !== undefined &&
        message.run !== 0 &&
        message.run !== run
      )
        this.start(request, listener, pastNs);
      return;
    }
    const started = this.#started;
    if (started?.run !== message.run) return;
    switch (message.type) {
      case "meta":
        meet(started, message);
        break;
      case "resumed":
        started.listener.onResumed?.(message.fromNs, message.rows);
        break;
      case "chunk":
        started.listener.onChunk(message.reached, message.trace, message.wakes, () =>
          engine.send({ type: "taken", run: message.run }),
        );
        break;
      case "finished":
        clearTimeout(this.#pulse);
        started.listener.onFinished(message.report, message.limit);
        warmSpare();
        // Only to be ready: the run that needs it asks again.
        engine.reads().catch(() => undefined);
        break;
      case "scenario_error":
        clearTimeout(this.#pulse);
        started.listener.onScenarioError(message.error);
        break;
    }
  }

  /** Retires the worker; the next `start` takes another one. */
  #died(engine: EngineWorker, message: string, { replay, run = 0, blame = "engine" }: Death): void {
    if (this.#engine !== engine) return;
    this.#end(engine);
    const started = this.#started;
    this.#started = undefined;
    if (run === 0 || run === started?.run)
      started?.listener.onFault(message, replay ?? replayCommand(started.request), blame);
  }
}

function meet(started: Started, { meta, setup }: Pick<Handover, "meta" | "setup">): void {
  if (started.met) return;
  started.met = true;
  started.listener.onMeta(meta, setup);
}

/** `run` 0: whichever is under way. */
interface Death {
  readonly replay?: string;
  readonly run?: number;
  readonly blame?: Blame;
}

function blameOf(error: unknown): Blame {
  return error instanceof NoEngine ? error.blame : "engine";
}
