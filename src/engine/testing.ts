// For tests under Node: the engine without a worker. The wasm comes from the disk and every message is kept.

import { readFileSync } from "node:fs";
import { Driver } from "./driver.ts";
import type { FromWorker, RunRequest } from "./protocol.ts";
import { initSync } from "./wasm/schedscope.js";

/** Loads the built wasm; call once before the first `Engine` or `Driver`. */
export function loadEngine(): void {
  initSync({ module: readFileSync(new URL("./wasm/schedscope_bg.wasm", import.meta.url)) });
}

/** A driver whose messages are collected and whose steps run when told. */
export class DriverOnBench {
  readonly messages: FromWorker[] = [];
  readonly transfers: (readonly ArrayBuffer[])[] = [];
  readonly #steps: (() => void)[] = [];
  /** Whether the page deals with the chunks it gets. */
  takes = true;
  readonly driver = new Driver({
    post: (message, transfer) => {
      this.messages.push(message);
      this.transfers.push(transfer);
      if (message.type === "chunk" && this.takes) this.#steps.push(() => this.driver.handle({ type: "taken", run: message.run }));
    },
    later: (step) => this.#steps.push(step),
  });

  /** Starts a run; nothing happens before the first step. */
  start(run: number, request: RunRequest): void {
    this.driver.handle({ type: "run", run, request });
  }

  /** One piece of work; false if there is none. */
  step(): boolean {
    const step = this.#steps.shift();
    step?.();
    return step !== undefined;
  }

  /** Works until there is nothing left. */
  finish(): readonly FromWorker[] {
    while (this.step());
    return this.messages;
  }
}
