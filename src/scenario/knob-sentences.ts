// The sentences of knobs in the page's words. A part of its own: the first picture does without
// them.

import { KNOB_DOCS } from "../engine/gen/knob-docs.ts";
import type { KnobDoc } from "../engine/gen/types.ts";
import { timeSigns } from "../lib/format.ts";
import { keysOf } from "./knob-values.ts";

/**
 * The documentation of a knob. A control group's knob has that of its pattern,
 * `cgroups.<name>.cpu_max`.
 */
export function knobDoc(path: string): KnobDoc | undefined {
  const [root, , key = ""] = keysOf(path);
  const found =
    KNOB_DOCS[path] ?? (root === "cgroups" ? KNOB_DOCS[`cgroups.<name>.${key}`] : undefined);
  if (found === undefined) return undefined;
  const { doc, source, choices } = found;
  return {
    doc: timeSigns(doc),
    source,
    ...(choices === undefined ? {} : { choices: choices.map(timeSigns) }),
  };
}
