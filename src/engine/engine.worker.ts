// One worker, one engine. The modules arrive compiled; after that the driver does what the messages
// say.

import { Driver } from "./driver.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { initSync as initEngine } from "./wasm/engine.js";
import { initSync as initReader } from "./wasm/reader.js";

/**
 * What this file uses of a dedicated worker's global object; TypeScript's DOM library describes a
 * window's.
 */
interface WorkerScope {
  postMessage(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

// A message to oneself comes after those already waiting, and without the 4 ms a nested timer
// costs.
const steps: (() => void)[] = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => steps.shift()?.();

const driver = new Driver({
  post: (message, transfer) => scope.postMessage(message, transfer),
  later: (step) => {
    steps.push(step);
    channel.port2.postMessage(undefined);
  },
  now: () => performance.now(),
});

scope.addEventListener("message", ({ data }) => {
  switch (data.type) {
    case "init":
      initEngine({ module: data.module });
      scope.postMessage({ type: "ready" }, []);
      break;
    case "reader":
      initReader({ module: data.module });
      break;
    case "ping":
      scope.postMessage({ type: "pong", nth: data.nth }, []);
      break;
    default:
      driver.handle(data);
  }
});
