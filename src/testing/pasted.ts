// For tests of the paste box: what the page would make of what it opens, judged by the scenario
// crate.

import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { Handover } from "../engine/gen/types.ts";
import { prepare } from "../engine/wasm/reader.js";
import { effectiveSet } from "../scenario/knob-sets.ts";
import { openContent } from "../state/link/link-state.ts";
import { readLink, writeAddress } from "../links/link.ts";
import { ownEntry } from "../scenario/viewer-scenario.ts";
import { SIDES, type PerSide } from "../scenario/sides.ts";
import { readPaste } from "../dialects/read/read-paste.ts";
import { contentOf, type Opens, type Understood } from "../dialects/read/understood.ts";

const prepareRun: (slug: string, text: string, setJson: string, writesTasks: boolean) => string =
  prepare;

/**
 * Both sides as the engine takes them, by way of the link that the box opens. Throws what the
 * reader of scenarios refuses.
 */
export function preparedSides(opens: Opens): PerSide<Handover> {
  const link = readLink(writeAddress(contentOf(opens, true)) ?? "");
  if (!link.ok) throw new Error(`no link: ${link.problem.code}`);
  const { slug, scenario } = link.content;
  const entry = SCENARIOS.find((each) => each.slug === slug) ?? ownEntry(scenario ?? "");
  const { knobs, notes } = openContent(link.content, entry, KNOBS);
  if (notes.length > 0) throw new Error(notes.join(" "));
  const [a, b] = SIDES.map(
    (side) =>
      JSON.parse(
        prepareRun(entry.slug, entry.text, JSON.stringify(effectiveSet(entry, knobs, side)), false),
      ) as Handover,
  );
  if (a === undefined || b === undefined) throw new Error("no sides");
  return { a, b };
}

/** What is understood of a text; fails where nothing is. */
export function understood(text: string): Understood {
  const answer = readPaste(text);
  if (answer.kind !== "understood")
    throw new Error(`${answer.kind}: ${answer.kind === "refused" ? answer.wrong : text}`);
  return answer;
}

/** Why a text is refused; else what it is. */
export function wrongOf(text: string): string {
  const answer = readPaste(text);
  return answer.kind === "refused" ? answer.wrong : answer.kind;
}

/** The scenario that a text opens. */
export function scenarioOf(text: string): {
  readonly [key: string]: unknown;
  readonly cgroups: Readonly<Record<string, { readonly cpu_max: string }>>;
} {
  const { opens } = understood(text);
  if (opens?.kind !== "scenario") throw new Error("no scenario of its own");
  return JSON.parse(opens.text) as ReturnType<typeof scenarioOf>;
}

/** The cpu.max of its first group. */
export function cpuMaxOf(text: string): string | undefined {
  return Object.values(scenarioOf(text).cgroups)[0]?.cpu_max;
}
