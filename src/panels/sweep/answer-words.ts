// What a search for the smallest value came to, as a sentence. Knows words only.

import { noAnswer, sureWords } from "../../state/figures/limit-words.ts";
import type { Search } from "./search-run.ts";

/** `place`: a value of the knob in words; `figure`: one of the metric. */
export function answerWords(
  { question, answer }: Pick<Search, "question" | "answer">,
  place: (value: number) => string,
  figure: (value: number | undefined) => string,
): string {
  const seeds = question.seeds === 1 ? "1 seed" : `${question.seeds} seeds`;
  switch (answer.kind) {
    case "probe":
      return `Trying ${place(answer.value)} on ${seeds}.`;
    case "none": {
      if (answer.why !== undefined) return noAnswer(place(question.to), answer.why);
      const least = answer.worst === undefined ? "" : `: there it reaches ${figure(answer.worst)} on ${seeds}`;
      return `No value up to ${place(question.to)} keeps the metric at or under ${figure(question.bound)}${least}.`;
    }
    case "found": {
      const sure = sureWords(question.seeds);
      const least = answer.below === undefined ? " It is the smallest value of the range." : ` ${place(answer.below)} goes above.`;
      const odd = answer.contradicted ? " A greater value goes above too: the metric does not only fall. Look at the whole sweep." : "";
      return `${place(answer.value)}.${least} ${sure}${odd}`;
    }
  }
}
