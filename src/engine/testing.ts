// For tests under Node: the engine and the reader without a worker. The wasm comes from the disk
// and every message is kept.

import { readFileSync } from "node:fs";
import { Driver } from "./driver.ts";
import type { Handover } from "./gen/types.ts";
import type { FromWorker, RunRequest } from "./protocol.ts";
import { initSync as initEngine } from "./wasm/engine.js";
import { initSync as initReader } from "./wasm/reader.js";

/** Loads both built modules; call once before the first `Engine` or `Driver`. */
export function loadEngine(): void {
  initEngine({ module: readFileSync(new URL("./wasm/engine_bg.wasm", import.meta.url)) });
  initReader({ module: readFileSync(new URL("./wasm/reader_bg.wasm", import.meta.url)) });
}

/** A driver whose messages are collected and whose steps run on request. */
export class DriverOnBench {
  readonly messages: FromWorker[] = [];
  readonly transfers: (readonly ArrayBuffer[])[] = [];
  readonly #steps: (() => void)[] = [];
  readonly #msPerLook: number | undefined;
  #ms = 0;
  /** Pieces of work so far. */
  pieces = 0;
  /** Whether the page deals with the chunks it gets. */
  takes = true;
  readonly driver = new Driver({
    post: (message, transfer) => {
      this.messages.push(message);
      this.transfers.push(transfer);
      if (message.type === "chunk" && this.takes)
        this.#steps.push(() => this.driver.handle({ type: "taken", run: message.run }));
    },
    later: (step) => this.#steps.push(step),
    now: () => (this.#msPerLook === undefined ? performance.now() : (this.#ms += this.#msPerLook)),
  });

  /**
   * `msPerLook`: a clock that moves by so much with every look at it; the real one if it is not
   * stated.
   */
  constructor(msPerLook?: number) {
    this.#msPerLook = msPerLook;
  }

  /** Starts a run; nothing happens before the first step. */
  start(run: number, request: RunRequest, prepared?: Handover): void {
    this.driver.handle({ type: "run", run, request, prepared });
  }

  /** One piece of work; false if there is none. */
  step(): boolean {
    const step = this.#steps.shift();
    if (step !== undefined) this.pieces += 1;
    step?.();
    return step !== undefined;
  }

  /** Works until there is nothing left. */
  finish(): readonly FromWorker[] {
    while (this.step());
    return this.messages;
  }
}
