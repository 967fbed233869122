// The page's handle on one side's engine. It owns a worker, drops answers to older runs, and replaces a worker that died.

import { firstRun } from "./first-runs.ts";
import { type EngineWorker, takeWorker, warmSpare } from "./pool.ts";
import type { Handover } from "./gen/types.ts";
import type { EngineClient, FromWorker, RunListener, RunRequest } from "./protocol.ts";
import { replayCommand } from "./replay.ts";

interface Started {
  readonly run: number;
  readonly request: RunRequest;
  readonly listener: RunListener;
}

/** One engine for one side of the page; `dispose` ends its worker. */
export function createEngineClient(): EngineClient {
  return new WorkerClient();
}

class WorkerClient implements EngineClient {
  #engine: EngineWorker | undefined;
  #runs = 0;
  #started: Started | undefined;

  start(request: RunRequest, listener: RunListener): void {
    this.#runs += 1;
    const started = { run: this.#runs, request, listener };
    this.#started = started;
    const engine = (this.#engine ??= this.#open());
    Promise.all([this.#prepared(engine, request), engine.ready]).then(
      ([prepared]) => {
        if (this.#started === started) engine.send({ type: "run", run: started.run, request, prepared });
      },
      (error: unknown) => this.#died(engine, error instanceof Error ? error.message : String(error)),
    );
  }

  cancel(): void {
    if (this.#started !== undefined) this.#engine?.send({ type: "cancel", run: this.#started.run });
    this.#started = undefined;
  }

  dispose(): void {
    this.#started = undefined;
    this.#engine?.worker.terminate();
    this.#engine = undefined;
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
    engine.worker.onerror = (event) => this.#died(engine, event.message || "the engine's worker could not be started");
    engine.worker.onmessageerror = () => this.#died(engine, "a message of the engine's worker was unreadable");
    return engine;
  }

  #hear(engine: EngineWorker, message: FromWorker): void {
    if (message.type === "ready") return;
    if (message.type === "fault") {
      const { request, listener, run } = this.#started ?? {};
      this.#died(engine, message.message, message.replay, message.run);
      // An older run's death took the worker from under the newer one.
      if (request !== undefined && listener !== undefined && message.run !== 0 && message.run !== run) this.start(request, listener);
      return;
    }
    const started = this.#started;
    if (started?.run !== message.run) return;
    switch (message.type) {
      case "meta":
        started.listener.onMeta(message.meta);
        break;
      case "chunk":
        started.listener.onChunk(message.simulatedNs, message.trace, message.wakes, () => engine.send({ type: "taken", run: message.run }));
        break;
      case "finished":
        started.listener.onFinished(message.report);
        warmSpare();
        engine.reads().catch(() => undefined); // Only to be ready: the run that needs it asks again.
        break;
      case "scenario_error":
        started.listener.onScenarioError(message.error);
        break;
    }
  }

  /** Retires the worker; the next `start` takes another one. */
  #died(engine: EngineWorker, message: string, replay?: string, run = 0): void {
    if (this.#engine !== engine) return;
    engine.worker.terminate();
    this.#engine = undefined;
    const started = this.#started;
    this.#started = undefined;
    if (run === 0 || run === started?.run) started?.listener.onFault(message, replay ?? replayCommand(started.request));
  }
}
