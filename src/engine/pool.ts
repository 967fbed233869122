// Engine workers: each wasm module is compiled once for all of them, and a spare is kept warm so
// that a replacement costs nothing.

import type { ToWorker } from "./protocol.ts";
import { messageOf, NoEngine, WasmModule } from "./wasm-module.ts";
import { startWorker } from "./worker-start.ts";
import engineUrl from "./wasm/engine_bg.wasm?url";
import readerUrl from "./wasm/reader_bg.wasm?url";

/** Those that were made first are taken first. */
const spares: EngineWorker[] = [];
let asked = false;

const engineModule = new WasmModule(engineUrl, "the engine");
const readerModule = new WasmModule(readerUrl, "the reader of scenarios");

/**
 * A worker that gets its engine as soon as that is compiled, and the reader of scenarios when it
 * has to read one.
 */
export class EngineWorker {
  readonly worker = startWorker();
  /** Settles when the engine was sent; rejects if it cannot be fetched or compiled. */
  readonly ready: Promise<void> = engineModule.get().then((module) => {
    this.send({ type: "init", module });
    this.isReady = true;
  });
  isReady = false;
  /** The reader was sent. */
  canRead = false;
  /** It has said that it hears: from then on silence means that it is busy. */
  hears = false;
  #reads: Promise<void> | undefined;

  constructor() {
    this.worker.addEventListener("message", () => (this.hears = true), { once: true });
    // The start of a run looks at `ready` again; until then a spare's failure must not become an
    // unhandled rejection.
    this.ready.catch(() => {
      const at = spares.indexOf(this);
      if (at >= 0) spares.splice(at, 1);
    });
  }

  /** Settles when the reader was sent; rejects if it cannot be fetched or compiled. */
  reads(): Promise<void> {
    this.#reads ??= readerModule.get().then(
      (module) => {
        this.send({ type: "reader", module });
        this.canRead = true;
      },
      (error: unknown) => {
        this.#reads = undefined;
        throw error;
      },
    );
    return this.#reads;
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

/** A warm worker if there is one; throws where the browser starts none. */
export function takeWorker(): EngineWorker {
  asked = true;
  try {
    return spares.shift() ?? new EngineWorker();
  } catch (error) {
    throw new NoEngine("browser", `This browser starts no worker: ${messageOf(error)}`);
  }
}

/**
 * Called when the machine is quiet again. The next run is mostly a changed one, so its worker gets
 * the reader, too.
 */
export function warmSpare(): void {
  if (spares.length === 0) spares.push(new EngineWorker());
  for (const spare of spares) spare.reads().catch(() => undefined); // The next request asks again.
}

/** Starts so many workers ahead, unless one was asked for by now. */
export function warmAhead(count: number): void {
  try {
    while (!asked && spares.length < count) spares.push(new EngineWorker());
  } catch {
    // A browser that starts no worker is reported when one is asked for.
  }
}

/** Before there is a worker: the next request asks again for one that did not come. */
export function fetchEngine(): void {
  engineModule.get().catch(() => undefined);
}
