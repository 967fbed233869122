// How a worker comes under the page's policy. A worker from an address takes its policy from that
// address's headers, and a static host sends none; one from a blob: address takes over its
// creator's. So these workers are blob: ones, and the blob does nothing but import the worker's own
// file, which script-src 'self' allows.

import { onlyAddress } from "../lib/only-address.ts";
import engineUrl from "./engine.worker.ts?worker&url";

/**
 * What the blob says. Not a static import: a browser judges those of a worker by worker-src, which
 * in an embed allows blob: alone. Messages that come before the file has are kept for it.
 */
const start = (workerUrl: string): string => `const early = [];
const keep = ({ data }) => early.push(data);
addEventListener("message", keep);
import(${JSON.stringify(new URL(workerUrl, import.meta.url).href)}).then(
  () => {
    removeEventListener("message", keep);
    for (const data of early) dispatchEvent(new MessageEvent("message", { data }));
  },
  (error) => setTimeout(() => { throw error; }),
);`;

/**
 * What starts workers that run one file. The policy makes its own address and takes none: nothing
 * else can be started through it.
 */
export function workersOf(policy: string, workerUrl: string): () => Worker {
  const blobAddress = onlyAddress(policy, () =>
    URL.createObjectURL(new Blob([start(workerUrl)], { type: "text/javascript" })),
  );
  return () => {
    const address = blobAddress();
    const worker = new Worker(address, { type: "module" });
    // The address is read when the worker has started; its first message says so.
    const forget = (): void => URL.revokeObjectURL(address);
    worker.addEventListener("message", forget, { once: true });
    worker.addEventListener("error", forget, { once: true });
    return worker;
  };
}

/** Starts a worker that runs engine.worker.ts. */
export const startWorker = workersOf("schedscope-worker", engineUrl);
