// What does the same on a real machine as one run, or as both sides: by the Rust code that the
// command has.

import type { RunMeta } from "./gen/types.ts";
import type { RealObject } from "./real-object.ts";
import { real } from "./wasm/real.js";

/**
 * To be called once the module is open. `file`: the scenario's text; a run's `kernel` is the kernel
 * for people. Undefined where the text is no JSON: one that is edited while its last run is shown.
 */
export function realOf(file: string, a: RunMeta, b: RunMeta | undefined): RealObject | undefined {
  const other = b === undefined ? undefined : JSON.stringify(b);
  try {
    return JSON.parse(real(JSON.stringify(a), other, file)) as RealObject;
  } catch (error) {
    // The module throws its sentences as text; an Error is a fault.
    if (typeof error === "string") return undefined;
    throw error;
  }
}
