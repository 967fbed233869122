// What does the same on a real machine as one run, or as both sides: by the Rust code that the
// command has.

import type { RunMeta } from "./gen/types.ts";
import type { RealObject } from "./real-object.ts";
import { real } from "./wasm/real.js";

/**
 * To be called once the module is open. `file`: the scenario's text; a run's `kernel` is the kernel
 * for people. Throws a sentence where the file cannot be read.
 */
export function realOf(file: string, a: RunMeta, b: RunMeta | undefined): RealObject {
  const other = b === undefined ? undefined : JSON.stringify(b);
  return JSON.parse(real(JSON.stringify(a), other, file)) as RealObject;
}
