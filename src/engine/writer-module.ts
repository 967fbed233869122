// The module that writes: runs as files of other tools, and what does the same on a real machine.
// It is fetched when a person first asks for one of these.

import init from "./wasm/writer.js";
import writerUrl from "./wasm/writer_bg.wasm?url";
import { WasmModule } from "./wasm-module.ts";

const writerModule = new WasmModule(writerUrl, "the writer of files");

/** Rejects where it cannot be fetched or compiled. */
export async function openWriter(): Promise<void> {
  await init({ module_or_path: await writerModule.get() });
}
