// The sentences of knobs, for parts of the page that are drawn before the sentences have come.

import { useSyncExternalStore } from "react";
import type { Knob, KnobChoice, KnobDoc } from "../../engine/gen/types.ts";
import { sameValue } from "../../scenario/knob-values.ts";
import { atLeisure } from "../../lib/lazily.tsx";

type KnobDocs = (path: string) => KnobDoc | undefined;

const NONE_YET: KnobDocs = () => undefined;
const waiting = new Set<() => void>();
let docs: KnobDocs | undefined;
let asked = false;

function ask(changed: () => void): () => void {
  waiting.add(changed);
  if (!asked) {
    asked = true;
    void atLeisure(() => import("../../scenario/knob-sentences.ts")).then(
      ({ knobDoc }) => {
        docs = knobDoc;
        for (const each of waiting) each();
      },
      // Knobs work without their sentences; the next part that shows one asks again.
      () => (asked = false),
    );
  }
  return () => waiting.delete(changed);
}

/** The sentences of a knob by its path; none until they have come. */
export function useKnobDocs(): KnobDocs {
  return useSyncExternalStore(ask, () => docs ?? NONE_YET);
}

/** What a value of a knob means, or nothing. */
export function choiceDoc(
  docs: KnobDocs,
  { path, choices = [] }: Knob,
  { value }: KnobChoice,
): string | undefined {
  return docs(path)?.choices?.[choices.findIndex((choice) => sameValue(choice.value, value))];
}
