// Engine workers: the wasm is compiled once for all of them, and one spare is kept warm so that a replacement costs nothing.

import type { ToWorker } from "./protocol.ts";
import wasmUrl from "./wasm/schedscope_bg.wasm?url";

let compiled: Promise<WebAssembly.Module> | undefined;
let spare: EngineWorker | undefined;

/** A worker that gets its engine as soon as that is compiled. */
export class EngineWorker {
  readonly worker = new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" });
  /** Settles when the engine was sent; rejects if it cannot be fetched or compiled. */
  readonly ready: Promise<void> = engineModule().then((module) => this.send({ type: "init", module }));

  constructor() {
    // Whoever starts a run looks at `ready` again; a spare's failure must not become an unhandled rejection meanwhile.
    this.ready.catch(() => undefined);
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

/** A warm worker if there is one. */
export function takeWorker(): EngineWorker {
  const taken = spare ?? new EngineWorker();
  spare = undefined;
  return taken;
}

/** Called when the machine is quiet again. */
export function warmSpare(): void {
  spare ??= new EngineWorker();
}

function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch((error: unknown) => {
    compiled = undefined; // The next worker tries again: the network may be back.
    spare = undefined;
    throw error;
  });
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`the engine could not be loaded: ${String(response.status)} for ${wasmUrl}`);
  const streams = response.headers.get("Content-Type")?.startsWith("application/wasm") ?? false;
  // A host that does not know the type still serves the bytes.
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
