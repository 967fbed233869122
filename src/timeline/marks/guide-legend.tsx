// The legend of the guided page: no more than five of the states and marks that are in view, the
// most frequent states first, as text beside shapes and nothing to press.

import { useMemo, type ReactElement } from "react";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS } from "../../model/index.ts";
import { HANDLER, LANE_LEGEND } from "../lanes/swatches.ts";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { Viewport } from "../plot/timeline-props.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import { Swatch } from "./legend.tsx";
import type { Run } from "./mark.ts";
import { marksIn } from "./registry.ts";

const ENTRIES_MAX = 5;
/** So many of them explain what the lanes' colours are. */
const STATES_MAX = 3;
/** Yellow and red. */
const LOUD: ReadonlySet<number | undefined> = new Set([CPU_STATE.Hardirq, CPU_STATE.Spin]);
/** Rarer states are not explained: share of the machine's time in view. */
const RARE = 0.002;

interface GuideProps {
  readonly theme: TimelineTheme;
  readonly ratio: number;
  readonly runs: readonly Run[];
  readonly viewport: Viewport;
  /** How much of the runs is there: the legend is made anew when they grow. */
  readonly version: string;
  /** Ids of the marks in question, the most important first. */
  readonly aboutMarks?: readonly string[];
}

export function GuideLegend({
  theme,
  ratio,
  runs,
  viewport,
  version,
  aboutMarks = [],
}: GuideProps): ReactElement {
  const { fromNs, toNs } = viewport;
  const entries = useMemo(
    () => guideEntries(runs, { fromNs, toNs }, aboutMarks),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- runs grow in place; `version` says so
    [version, fromNs, toNs, aboutMarks.join()],
  );
  return (
    <ul className="tl-guide" aria-label="Legend" data-testid="guide-legend">
      {entries.map((entry) => (
        <li key={entry.words}>
          <Swatch entry={entry} theme={theme} ratio={ratio} /> {entry.words}
        </li>
      ))}
    </ul>
  );
}

/** The entries: at most five. */
export function guideEntries(
  runs: readonly Run[],
  view: Viewport,
  about: readonly string[],
): readonly LegendEntry[] {
  const rank = (id: string): number => (about.includes(id) ? about.indexOf(id) : about.length);
  const marks = marksIn(runs, view.fromNs, view.toNs)
    .toSorted((one, other) => rank(one.id) - rank(other.id))
    .flatMap(({ legend }) => legend.slice(0, 1));
  const all = statesIn(runs, view);
  // The loudest colours are explained however seldom they come.
  const loud = all.filter(({ channel }) => LOUD.has(channel));
  const others = all.filter(({ channel }) => !LOUD.has(channel));
  const often = others.slice(0, Math.max(1, STATES_MAX - loud.length));
  const states = all.filter((each) => loud.includes(each) || often.includes(each));
  const said = new Set(states.map(({ words }) => words));
  return [...states, ...marks.filter(({ words }) => !said.has(words))].slice(0, ENTRIES_MAX);
}

type StateEntry = (typeof LANE_LEGEND)[number];

/** The lanes' entries of what CPUs do in view, the most frequent first. */
function statesIn(runs: readonly Run[], { fromNs, toNs }: Viewport): readonly StateEntry[] {
  const sums = new Float64Array(CHANNELS);
  let all = 0;
  for (const { trace } of runs)
    for (const lane of trace.lanes) {
      lane.windowNs(fromNs, toNs, trace.endNs).forEach((ns, channel) => {
        sums[channel] = (sums[channel] ?? 0) + ns;
      });
      all += toNs - fromNs;
    }
  const nsOf = (channel = -1): number => sums[channel] ?? 0;
  return [...LANE_LEGEND, HANDLER]
    .filter(({ channel }) => nsOf(channel) > RARE * all)
    .toSorted((one, other) => nsOf(other.channel) - nsOf(one.channel));
}
