// The answer to "Which change did it?" in words: figures with their intervals, and a sentence for
// each kind of change that is not in the table.

import type {
  BisectObject,
  Effect,
  RankedChange,
  TriedChange,
} from "../../engine/bisect-object.ts";
import type { NextRuns } from "../../engine/bisector.ts";
import { plainText } from "../../engine/plain.ts";
import { formatCount, threeFigures } from "../../lib/format.ts";
import { counted } from "../../lib/count.ts";

/** Effects below this part of the difference, in thousandths, are not in the table. */
const SMALL = 10;

/** A figure of a report as it is: the sum of a run, not one per second. */
export function figureWords(metric: string, thousandths: number): string {
  const value = thousandths / 1_000;
  if (metric.endsWith("_ns")) return threeFigures(value);
  if (metric.endsWith("_bp")) return `${(value / 100).toFixed(1)} %`;
  return Math.abs(value) >= 100
    ? formatCount(Math.round(value))
    : value.toFixed(1).replace(/\.0$/, "");
}

function signed(metric: string, thousandths: number): string {
  const words = figureWords(metric, thousandths);
  return thousandths > 0 ? `+${words}` : words.replace(/^-/, "−");
}

/** `+1.2 ms (+1.1 ms to +1.3 ms)`; without an interval where every seed gives the same. */
export function effectWords(metric: string, effect: Effect | null, sign = true): string {
  if (effect === null) return "not possible";
  const say = sign ? signed : figureWords;
  const mean = say(metric, effect.mean_thousandths);
  const [low, high] = [effect.low_thousandths, effect.high_thousandths];
  return low >= high ? mean : `${mean} (${say(metric, low)} to ${say(metric, high)})`;
}

/** A change's part of the difference; of no difference there is none. */
export function shareWords({ share_thousandths: share }: RankedChange): string {
  return share === null ? "" : `${Math.round(share / 10)} %`.replace(/^-/, "−");
}

/** The changes of the table: clear, and of a size that matters. */
export function largeChanges({ ranking }: BisectObject): readonly RankedChange[] {
  return ranking.filter(isLarge);
}

function isLarge({ clear, share_thousandths: share }: RankedChange): boolean {
  return clear && (share === null || Math.abs(share) >= SMALL);
}

/** What the releases came to, where they do not differ: changes may move the figure and cancel. */
function noDifferenceWords(object: BisectObject): string {
  const { from, to, complete, same_schedule: same, figures } = object;
  const named = largeChanges(object);
  if (!complete && named.length === 0) return "It was stopped before a difference was found.";
  if (same) return "With every seed both releases run this scenario the same.";
  const whole = figures.difference.effect;
  const isExact = whole !== null && whole.low_thousandths >= whole.high_thousandths;
  const alike = isExact
    ? `With every seed the figure is the same in ${from} and ${to}`
    : `The figure does not differ between ${from} and ${to} beyond its error`;
  if (named.length === 0)
    return `${alike}, and no change alone moves it clearly. More seeds may find a small effect.`;
  const changes = named.map(changesWords).join(", ");
  const move = named.length === 1 ? "1 change moves it" : `${named.length} changes move it`;
  return object.cancels
    ? `${alike}, but ${move}, and cancel. They are ${changes}.`
    : `${alike}, but ${move}: ${changes}. What works against that was not found.`;
}

/** The first sentence of an answer: what did it. */
export function verdictWords(object: BisectObject): string {
  if (!object.differs) return noDifferenceWords(object);
  const [first] = largeChanges(object);
  if (first === undefined) return "No single change has an effect of this size beyond its error.";
  const makes = `${changesWords(first)} makes ${shareWords(first)} of the difference.`;
  const [whole, left] = [object.figures.difference.effect, object.unexplained].map((effect) =>
    Math.abs(effect?.mean_thousandths ?? 0),
  );
  return 2 * (left ?? 0) > (whole ?? 0)
    ? `${makes} Most of it is not explained; more seeds may find what did it.`
    : makes;
}

/** The name of a change, or of two that work together. */
export function changesWords({ changes }: Pick<RankedChange, "changes">): string {
  return plainText(changes.join(" with "));
}

/** What a change of a pair does by itself. */
export function memberWords(
  { metric, from, to }: BisectObject,
  { name, alone, without }: TriedChange,
): string {
  const [put, left] = [alone, without].map((way) =>
    effectWords(metric, way !== null && "effect" in way ? way.effect : null),
  );
  return plainText(`${name} by itself: ${put} put into ${from}, ${left} left out of ${to}`);
}

/** A sentence for each kind of change that is not in the table. */
export function otherWords(object: BisectObject): readonly string[] {
  const { metric, ranking, one_schedule: fixed, from, to } = object;
  const rest = ranking.filter((ranked) => !isLarge(ranked));
  const told = (each: RankedChange): string =>
    `${changesWords(each)} (${signed(metric, each.effect.mean_thousandths)})`;
  const against = largeChanges(object).filter(
    ({ share_thousandths: share }) => share !== null && share < 0,
  );
  const refused = Object.entries(object.refused).map(([name, why]) => `${name} (${why})`);
  const lists: readonly (readonly [what: string, names: readonly string[]])[] = [
    ["Changes cancel in part: against the difference works", against.map(changesWords)],
    ["Below 1 % of the difference", rest.filter(({ clear }) => clear).map(told)],
    ["Not beyond the error", rest.filter(({ clear }) => !clear).map(told)],
    ["The schedule changes, the figure does not", object.figure_unchanged],
    ["Not finished", object.unfinished],
    ["No effect here, with every seed the same run", object.no_effect],
    ["Not tried, because neither release can have the other’s value", refused],
    ["Not tried, because the releases’ values come to the same here", object.alike],
    ["Not tried, because a value is stated for both releases", object.stated],
    [
      "Not tried, because no scenario can state them by themselves",
      object.not_stated_by_themselves.map(({ name }) => name),
    ],
  ];
  const one = [from, to].filter((_, release) => fixed[release] === true);
  return [
    ...lists.flatMap(([what, names]) =>
      names.length === 0 ? [] : [`${what}: ${plainText(names.join(", "))}.`],
    ),
    ...(object.not_modelled === 0
      ? []
      : [`The model lacks ${counted(object.not_modelled, "change")} between these releases.`]),
    ...(one.length === 0
      ? []
      : [
          `The seed changes nothing in the runs of ${one.join(" and ")}: an effect there is that of one schedule, and a small change of the workload may give another one.`,
        ]),
  ];
}

const STAGES: Readonly<Record<NextRuns["stage"], string>> = {
  releases: "both releases",
  changes: "each change put in alone and left out alone",
  "more seeds": "more seeds, because the answer is open",
  pairs: "pairs of changes",
};

export function stageWords(
  stage: NextRuns["stage"] | undefined,
  done: number,
  total: number,
): string {
  return stage === undefined
    ? "Preparing the runs."
    : `${done} of ${counted(total, "run")}: ${STAGES[stage]}`;
}
