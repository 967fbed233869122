// The module that writes what does the same on a real machine, fetched after the picture.

import init from "./wasm/real.js";
import realUrl from "./wasm/real_bg.wasm?url";
import { WasmModule } from "./wasm-module.ts";

const realModule = new WasmModule(realUrl, "the writer of real commands");

let isReady = false;

/** Rejects where it cannot be fetched or compiled. */
export async function openReal(): Promise<void> {
  await init({ module_or_path: await realModule.get() });
  isReady = true;
}

/** Whether it has come: its functions can be called. */
export function isRealOpen(): boolean {
  return isReady;
}
