// What does the same on a real machine as one run, or as both sides: by the Rust code that the
// command has. It is in the module that writes files.

import type { RunMeta } from "./gen/types.ts";
import type { RealObject } from "./real-object.ts";
import { openWriter } from "./writer-module.ts";
import { real } from "./wasm/writer.js";

/**
 * `file`: the scenario's text; a run's `kernel` is the kernel for people. Rejects where the module
 * cannot be fetched.
 */
export async function realOf(
  file: string,
  a: RunMeta,
  b: RunMeta | undefined,
): Promise<RealObject> {
  await openWriter();
  const other = b === undefined ? undefined : JSON.stringify(b);
  return JSON.parse(real(JSON.stringify(a), other, file)) as RealObject;
}
