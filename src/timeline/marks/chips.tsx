// The marks in view: a chip for each of the few kinds that matter most, with its shape, how many
// there are in the window, and the way to the next one. The rest, and what every shape means, open
// over the lanes.

import { Activity, useState } from "react";
import type { ReactElement } from "react";
import { fixed, formatCount } from "../../lib/format.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { Viewport } from "../plot/timeline-props.ts";
import { Swatch, TimelineLegend } from "./legend.tsx";
import type { LegendEntry } from "../draw/legend-entry.ts";
import type { Mark, Run } from "./mark.ts";
import { COUNTED_MAX } from "./mark.ts";
import { marksIn } from "./registry.ts";

/** Chips in the line at most. */
export const CHIPS_MAX = 5;

interface ChipsProps {
  readonly theme: TimelineTheme;
  readonly ratio: number;
  readonly runs: readonly (Run & { readonly running: boolean })[];
  /** Legend of the tracks over the lanes and beside them. */
  readonly tracks: readonly LegendEntry[];
  readonly viewport: Viewport;
  /** While it plays the chips keep their places: only their numbers change. */
  readonly playing: boolean;
  /** Ids of the marks that the numbers in question are about, the most important first. */
  readonly aboutMarks?: readonly string[];
  readonly onMark: (id: string, later: boolean) => void;
}

interface Counted {
  readonly mark: Mark;
  /** In the window, on all sides shown. */
  readonly count: number;
}

/**
 * The marks of the run: first those in view, among them first those that the numbers are about,
 * then in the order of the registry.
 */
export function chipOrder(
  runs: readonly Run[],
  { fromNs, toNs }: Viewport,
  about: readonly string[],
): readonly Counted[] {
  const rank = ({ id }: Mark): number => (about.includes(id) ? about.indexOf(id) : about.length);
  return marksIn(runs)
    .map((mark) => ({ mark, count: countOf(mark, runs, fromNs, toNs) }))
    .sort(
      (one, other) =>
        Number(other.count > 0) - Number(one.count > 0) || rank(one.mark) - rank(other.mark),
    );
}

function countOf(mark: Mark, runs: readonly Run[], fromNs: number, toNs: number): number {
  return runs.reduce((sum, run) => sum + mark.count(run, fromNs, toNs), 0);
}

/** "12", "more than 5 000". */
function countWords(count: number): string {
  return count > COUNTED_MAX ? `more than ${formatCount(COUNTED_MAX)}` : formatCount(count);
}

/** "412", "1.7k", "5k+": four characters at most. */
function briefCount(count: number): string {
  if (count > COUNTED_MAX) return `${String(COUNTED_MAX / 1000)}k+`;
  return count < 1000 ? String(count) : `${fixed(count, 1000, 1)}k`;
}

/** Words where there is room for them, and shorter ones where there is none. */
function Wide({
  words,
  children,
}: {
  readonly words: string;
  readonly children: string;
}): ReactElement {
  return (
    <>
      <span className="tl-wide">{words}</span>
      <span className="tl-narrow">{children}</span>
    </>
  );
}

const MORE = "More marks, and the legend";

export function MarkChips(props: ChipsProps): ReactElement {
  const { runs, viewport, playing } = props;
  const [open, setOpen] = useState(false);
  const now = chipOrder(runs, viewport, props.aboutMarks ?? []);
  const [kept, setKept] = useState<readonly string[]>([]);
  const ids = now.map(({ mark }) => mark.id);
  const settled =
    playing && kept.length > 0 ? [...kept, ...ids.filter((id) => !kept.includes(id))] : ids;
  if (!playing && kept.join() !== ids.join()) setKept(ids);
  const chips = settled.flatMap((id) => now.find(({ mark }) => mark.id === id) ?? []);
  return (
    <div
      className="tl-key"
      role="group"
      aria-label="Marks in view"
      data-testid="mark-chips"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        setOpen(false);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <div className="tl-chips">
        {chips.slice(0, CHIPS_MAX).map((chip) => (
          <Chip key={chip.mark.id} {...props} {...chip} />
        ))}
      </div>
      <button
        type="button"
        className="tl-chip tl-more"
        aria-expanded={open}
        aria-label={MORE}
        title={MORE}
        data-testid="mark-more"
        onClick={() => setOpen(!open)}
      >
        <Wide
          words={
            chips.length > CHIPS_MAX ? `${String(chips.length - CHIPS_MAX)} more, legend` : "legend"
          }
        >
          {chips.length > CHIPS_MAX ? `+${String(chips.length - CHIPS_MAX)}` : "legend"}
        </Wide>
      </button>
      <div className="tl-all" hidden={!open} data-testid="mark-all">
        <Activity mode={open ? "visible" : "hidden"}>
          <div className="tl-chips">
            {chips.slice(CHIPS_MAX).map((chip) => (
              <Chip key={chip.mark.id} {...props} {...chip} />
            ))}
          </div>
          <TimelineLegend {...props} />
        </Activity>
      </div>
    </div>
  );
}

/** Whether some of the window is not computed yet. */
function isOpen({ runs, viewport }: ChipsProps): boolean {
  return runs.some(({ trace, running }) => running && trace.endNs < viewport.toNs);
}

function Chip({ mark, count, ...props }: ChipsProps & Counted): ReactElement {
  const { theme, ratio, onMark } = props;
  const [entry] = mark.legend;
  const open = isOpen(props);
  const words = open ? `${countWords(count)} so far` : countWords(count);
  const full = count > COUNTED_MAX ? `${formatCount(COUNTED_MAX)}+` : formatCount(count);
  const none = open && count === 0;
  return (
    <button
      type="button"
      className="tl-chip"
      data-testid={`mark-chip-${mark.id}`}
      data-count={count}
      aria-label={`${mark.plural}: ${words} in view, go to the next`}
      title={`${mark.plural}: ${words} in view. A click leads to the next, with Shift to the one before.`}
      onClick={({ shiftKey }) => onMark(mark.id, !shiftKey)}
    >
      {entry === undefined ? null : <Swatch entry={entry} theme={theme} ratio={ratio} />}
      <b>
        <Wide words={none ? "…" : full}>{none ? "…" : briefCount(count)}</Wide>
      </b>
      <span className="tl-chip-name">{count === 1 ? mark.shortOne : mark.short}</span>
    </button>
  );
}
