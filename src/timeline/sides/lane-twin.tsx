// The lanes for people who do not see them: a grid with one row per CPU that says what the CPU does
// at the playhead. Rows lie over their lanes, so that the focus ring shows where they are, and in
// their order. Arrow up and down move along rows, also to those out of sight; left and right along
// the slices of a CPU; Enter selects the wake-up there. On a group's strip right and Enter unfold,
// left folds. Alt with up and down moves a lane among those kept on top, and the focus with it;
// where the focused row goes away, the focus moves to the row that replaces it.

import { memo, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactElement, RefObject } from "react";
import { describeCpu } from "../../model/words/describe.ts";
import type { Selection, TraceStore } from "../../model/index.ts";
import type { Run } from "../marks/mark.ts";
import { spokenAt, stepOf } from "../marks/registry.ts";
import { cpusOf, type LaneRow } from "../plot/lane-rows.ts";

interface TwinProps {
  readonly run: Run;
  readonly title: string;
  /** Rows of all lanes. */
  readonly all: readonly LaneRow[];
  /** The rows in sight. */
  readonly rows: readonly LaneRow[];
  readonly scrollTop: number;
  readonly ns: number;
  readonly onPlayhead: (ns: number) => void;
  readonly onSelect: (selection: Selection | undefined) => void;
  /** A CPU's row has the focus. */
  readonly onPoint: (cpu: number) => void;
  /** A row out of sight is gone to. */
  readonly onSeek: (row: LaneRow) => void;
  readonly onFold: (group: number) => void;
  /** A CPU's lane goes up or down among those kept on top. */
  readonly onMove: (cpu: number, by: 1 | -1) => void;
  /**
   * Another number when the finished part of the trace is another; it stays while a run is being
   * computed.
   */
  readonly version: number;
}

/** A CPU may have two rows: one on top, one in its place. */
function keyOf({ pinned, fold, cpu }: LaneRow): string {
  return fold === undefined ? `${pinned ? "pin" : "cpu"}${cpu}` : `group${fold.group}`;
}

/**
 * Drawn again only when its words may have changed: a row for each of 256 CPUs takes longer than
 * a frame.
 */
export const LaneTwin = memo(function LaneTwin(props: TwinProps): ReactElement {
  const { run, title, all, rows, scrollTop, ns, onPoint, onSeek } = props;
  const { trace } = run;
  const [active, setActive] = useState("");
  const marks = spokenAt(run, ns);
  const here = standIn(all, active);
  if (here !== undefined && keyOf(here) !== active) setActive(keyOf(here));
  const current = here !== undefined && rows.includes(here) ? here : rows[0];
  const isSeen = (row: LaneRow): boolean => rows.includes(row) && row.top >= scrollTop;
  const { grid, want, held } = useRowFocus(
    active,
    whichRows(all),
    here === undefined || isSeen(here) ? undefined : () => onSeek(here),
  );
  const go = (row: LaneRow | undefined): void => {
    if (row === undefined) return;
    want();
    setActive(keyOf(row));
    if (!isSeen(row)) onSeek(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (current === undefined) return;
    const to = keyTarget(event.code, all.length, all.indexOf(current));
    if (
      event.altKey &&
      (event.code === "ArrowUp" || event.code === "ArrowDown") &&
      current.fold === undefined
    ) {
      props.onMove(current.cpu, event.code === "ArrowDown" ? 1 : -1);
      // A lane that does not come on top has its old place still.
      if (event.code === "ArrowUp") setActive(`pin${String(current.cpu)}`);
      want();
    } else if (to !== undefined) go(all[to]);
    else if (!act(event.code, current, props)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={grid}
      className="tl-twin"
      role="grid"
      aria-label={`${title}: what each CPU does at the playhead`}
      aria-rowcount={all.length}
      onKeyDown={onKeyDown}
      {...held}
    >
      {rows.map((row) => (
        <TwinRow
          key={keyOf(row)}
          row={row}
          index={all.indexOf(row)}
          words={wordsOf(trace, row, ns, marks)}
          top={row.top - scrollTop}
          isCurrent={row === current}
          onFocus={() => {
            setActive(keyOf(row));
            if (row.fold === undefined) onPoint(row.cpu);
          }}
        />
      ))}
    </div>
  );
});

function wordsOf(
  trace: TraceStore,
  { cpu, fold }: LaneRow,
  ns: number,
  marks: ReturnType<typeof spokenAt>,
): string {
  const lines =
    fold === undefined
      ? [describeCpu(trace, cpu, ns), ...(marks.get(cpu) ?? [])]
      : fold.say(trace, ns);
  return lines.join("; ");
}

interface RowProps {
  readonly row: LaneRow;
  /** Among all lanes, from 0. */
  readonly index: number;
  readonly words: string;
  /** CSS px from the top of the lanes in sight. */
  readonly top: number;
  /** The Tab key reaches this row. */
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

function TwinRow({ row, index, words, top, isCurrent, onFocus }: RowProps): ReactElement {
  const { cpu, fold } = row;
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      {...(fold === undefined
        ? { "data-cpu": cpu }
        : { "data-group": fold.group, "data-open": fold.open })}
      data-row={keyOf(row)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={words}
      style={{ top, height: row.height }}
      onFocus={onFocus}
    >
      <span role="gridcell">{words}</span>
    </div>
  );
}

/**
 * The row of that key; where there is none any more, the same CPU's other row, or the strip that
 * its group is folded into.
 */
function standIn(all: readonly LaneRow[], key: string): LaneRow | undefined {
  const same = all.find((row) => keyOf(row) === key);
  const cpu = same === undefined ? /^(?:pin|cpu)(\d+)$/.exec(key)?.[1] : undefined;
  if (cpu === undefined) return same;
  const own = all.filter((row) => cpusOf(row).includes(Number(cpu)));
  return own.find((row) => row.fold === undefined) ?? own[0];
}

/**
 * Another text when other rows are there, whatever is scrolled: a CPU on top may come for one that
 * goes.
 */
function whichRows(all: readonly LaneRow[]): string {
  return [all.length, ...all.filter(({ pinned }) => pinned).map(({ cpu }) => cpu)].join(" ");
}

interface RowFocus {
  readonly grid: RefObject<HTMLDivElement | null>;
  /** The active row gets the focus as soon as it is there. */
  readonly want: () => void;
  readonly held: { readonly onFocus: () => void; readonly onBlur: () => void };
}

/**
 * Keeps the focus on the active row when rows come or go: `seek` brings that row in sight where
 * this has taken it out.
 */
function useRowFocus(active: string, rows: string, seek: (() => void) | undefined): RowFocus {
  const grid = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const held = useRef(false);
  const before = useRef(rows);
  useEffect(() => {
    const changed = before.current !== rows;
    before.current = rows;
    // A row that React takes away loses the focus without a word.
    if (held.current && document.activeElement === document.body) {
      held.current = false;
      if (changed) {
        wanted.current = true;
        seek?.();
      }
    }
    const element = wanted.current
      ? grid.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)
      : undefined;
    if (element === null || element === undefined) return;
    wanted.current = false;
    element.focus({ preventScroll: true });
  });
  return {
    grid,
    want: () => (wanted.current = true),
    held: { onFocus: () => (held.current = true), onBlur: () => (held.current = false) },
  };
}

/** Whether the key is one of this row's. */
function act(
  code: string,
  { cpu, fold }: LaneRow,
  { run, ns, onPlayhead, onSelect, onFold }: TwinProps,
): boolean {
  const arrow = code === "ArrowLeft" || code === "ArrowRight";
  if (fold !== undefined) {
    const folds =
      code === "Enter" ||
      (code === "ArrowRight" && !fold.open) ||
      (code === "ArrowLeft" && fold.open);
    if (folds && fold.fixed !== true) onFold(fold.group);
    return folds || arrow;
  }
  if (arrow) onPlayhead(neighbour(run, cpu, ns, code === "ArrowRight"));
  else if (code === "Enter") onSelect(wakeOf(run.trace, cpu, ns));
  return arrow || code === "Enter";
}

/** The row that a key leads to, among `count` rows. */
function keyTarget(code: string, count: number, at: number): number | undefined {
  switch (code) {
    case "ArrowDown":
      return Math.min(count - 1, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

/** Start of the CPU's next slice or the next instant of a mark there, or the one before. */
function neighbour(run: Run, cpu: number, ns: number, later: boolean): number {
  const { trace } = run;
  const lane = trace.lanes[cpu];
  if (lane === undefined) return ns;
  const index = lane.indexAt(ns) + (later ? 1 : -1);
  const at = Math.min(lane.count - 1, Math.max(0, index));
  const slice = lane.slice(at, trace.endNs).fromNs;
  const mark = stepOf(run, cpu, ns, later);
  if (mark === undefined) return slice;
  if (later) return slice > ns ? Math.min(mark, slice) : mark;
  return slice < ns ? Math.max(mark, slice) : mark;
}

function wakeOf(trace: TraceStore, cpu: number, ns: number): Selection | undefined {
  const row = trace.wakes.at(cpu, ns);
  return row === undefined ? undefined : trace.wakes.selectionOf(row);
}
