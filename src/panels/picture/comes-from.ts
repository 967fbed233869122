// Where a picture or a sheet of paper comes from, in two lines: which runs of which engine over
// which stretch, and the link to them.

import { valueText } from "../../scenario/knob-values.ts";
import { formatNs } from "../../lib/format.ts";
import { contentOf } from "../../state/link/link-state.ts";
import type { LinkContent } from "../../links/link-types.ts";
import { writeAddress } from "../../links/link.ts";
import { isComputing, knobValue, reportOf, shownViewport } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";

/** `origin`: of the site with its root, "https://example.org/schedscope/". */
export function comesFrom(state: State, origin: string): readonly [runs: string, address: string] {
  const seeds = [...new Set(SIDES.map((side) => valueText(knobValue(state, side, "seed") ?? 1)))];
  const scenario = state.route === "own" ? "own scenario" : state.entry.slug;
  const runs = [
    "schedscope",
    scenario,
    `seed ${seeds.join(" | ")}`,
    stretchWords(state),
    ...engineWords(state),
  ].join(" · ");
  return [runs, addressOf(state, origin)];
}

/** The stretch in view: "1.2 ms to 1.3 ms". */
function stretchWords(state: State): string {
  const { fromNs, toNs } = shownViewport(state);
  return `${formatNs(fromNs, 3)} to ${formatNs(toNs, 3)}`;
}

/** The digits of a digest that suffice to distinguish runs. */
const DIGEST_CHARACTERS = 16;

function engineWords(state: State): readonly string[] {
  const reports = SIDES.flatMap((side) => {
    const report = isComputing(state) ? undefined : reportOf(state, side);
    return report === undefined ? [] : [{ side, report }];
  });
  const [first] = reports;
  if (first === undefined) return ["runs not finished"];
  const digests = reports.map(
    ({ side, report }) => `${side.toUpperCase()} ${report.digest.slice(0, DIGEST_CHARACTERS)}`,
  );
  return [
    `engine ${first.report.engine}-${first.report.engine_behaviour}`,
    `digests ${digests.join(" ")}`,
  ];
}

/** Fields of a link that say what its sender saw. */
const SEEN: readonly string[] = ["e", "fp"];

/** The link without what the sender saw: engine and digests are said beside it. */
export function shortLink(state: State, origin: string): string {
  const content = contentOf(state);
  const seen = Object.entries(content.view).filter(([key]) => !SEEN.includes(key));
  return addressWith({ ...content, figures: [], view: Object.fromEntries(seen) }, origin);
}

function addressOf(state: State, origin: string): string {
  return addressWith(contentOf(state), origin);
}

function addressWith(content: LinkContent, origin: string): string {
  const address = writeAddress(content);
  return address === undefined ? "The scenario is too big for a link." : `${origin}${address}`;
}

/**
 * The longest address that is printed: a longer one takes room from the picture and is too long to
 * type.
 */
const PRINTED_MAX = 800;

/** The runs and the address at the foot of a printed sheet. */
export function comesFromOnPaper(
  state: State,
  origin: string,
): readonly [runs: string, address: string] {
  const [runs, address] = comesFrom(state, origin);
  if (address.length <= PRINTED_MAX) return [runs, address];
  return [
    runs,
    `The link has ${String(address.length)} characters, too many for paper. Share copies it.`,
  ];
}
