import type { MetricWords } from "../../state/figures/headline.ts";
import { scoreWords } from "../../state/figures/score-words.ts";
import { useSelect } from "../page/page.ts";

/** The rows a scenario shows, in its own order. */
export function useScoreWords(): readonly MetricWords[] {
  return scoreWords(useSelect((state) => state.entry));
}
