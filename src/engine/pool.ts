// Engine workers: each wasm module is compiled once for all of them, and a spare is kept warm so
// that a replacement costs nothing.

import type { Blame, ToWorker } from "./protocol.ts";
import { startWorker } from "./worker-start.ts";
import engineUrl from "./wasm/engine_bg.wasm?url";
import readerUrl from "./wasm/reader_bg.wasm?url";

/** Those that were made first are taken first. */
const spares: EngineWorker[] = [];
let asked = false;

/** Why there is no engine. */
export class NoEngine extends Error {
  readonly blame: Blame;

  constructor(blame: Blame, message: string) {
    super(message);
    this.blame = blame;
  }
}

/** A module that is fetched when it is first asked for. */
class Module {
  readonly #url: string;
  readonly #name: string;
  #compiled: Promise<WebAssembly.Module> | undefined;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  get(): Promise<WebAssembly.Module> {
    this.#compiled ??= this.#compile().catch((error: unknown) => {
      this.#compiled = undefined; // The next to ask tries again: the network may be back.
      throw error;
    });
    return this.#compiled;
  }

  async #compile(): Promise<WebAssembly.Module> {
    if (!("WebAssembly" in globalThis))
      throw new NoEngine("browser", "This browser has no WebAssembly, or it is switched off.");
    const lost = (why: string): NoEngine =>
      new NoEngine("network", `${this.#name} could not be loaded: ${why}`);
    const response = await fetch(this.#url).catch((error: unknown) =>
      Promise.reject(lost(messageOf(error))),
    );
    if (!response.ok) throw lost(`${String(response.status)} for ${this.#url}`);
    const streams = response.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
    try {
      // A host that does not know the type still serves the bytes.
      return await (streams
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer()));
    } catch (error) {
      if (!(error instanceof WebAssembly.CompileError)) throw lost(messageOf(error));
      throw new NoEngine(
        "browser",
        `This browser does not compile ${this.#name}: ${error.message}`,
      );
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const engineModule = new Module(engineUrl, "the engine");
const readerModule = new Module(readerUrl, "the reader of scenarios");

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
