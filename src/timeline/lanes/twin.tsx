// The lanes for people who do not see them: a grid with one row per CPU that says what the CPU does at the playhead. Rows lie over
// their lanes, so that the focus ring shows where they are, and in their order. Arrow up and down move along rows, also to those out of sight;
// left and right along the slices of a CPU; Enter selects the wake-up there. On a group's strip right and Enter unfold, left folds. Alt with
// up and down moves a lane among those kept on top.

import { memo, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactElement } from "react";
import { describeCpu } from "../../model/index.ts";
import type { Selection, TraceStore } from "../../model/index.ts";
import type { Run } from "../marks/mark.ts";
import { spokenAt, stepOf } from "../marks/registry.ts";
import type { LaneRow } from "./rows.ts";

interface TwinProps {
  readonly run: Run;
  readonly title: string;
  /** Of all lanes, and those in sight. */
  readonly all: readonly LaneRow[];
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
  /** Another number when the finished part of the trace is another; it stays while a run is being computed. */
  readonly version: number;
}

/** A CPU may have two rows: one on top, one in its place. */
function keyOf({ pinned, fold, cpu }: LaneRow): string {
  return fold === undefined ? `${pinned ? "pin" : "cpu"}${cpu}` : `group${fold.group}`;
}

/** Drawn again only when what it says may have changed: a row for each of 256 CPUs takes longer than a frame. */
export const LaneTwin = memo(function LaneTwin(props: TwinProps): ReactElement {
  const { run, title, all, rows, scrollTop, ns, onPoint, onSeek } = props;
  const { trace } = run;
  const [active, setActive] = useState("");
  const marks = spokenAt(run, ns);
  const grid = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const current = rows.find((row) => keyOf(row) === active) ?? rows[0];
  useEffect(() => {
    if (!wanted.current) return;
    const element = grid.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (element === null || element === undefined) return;
    wanted.current = false;
    element.focus({ preventScroll: true });
  });
  const go = (row: LaneRow | undefined): void => {
    if (row === undefined) return;
    wanted.current = true;
    setActive(keyOf(row));
    if (!rows.includes(row) || row.top < scrollTop) onSeek(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (current === undefined) return;
    const to = keyTarget(event.code, all.length, all.indexOf(current));
    if (event.altKey && (event.code === "ArrowUp" || event.code === "ArrowDown") && current.fold === undefined) {
      wanted.current = true;
      setActive(`pin${String(current.cpu)}`);
      props.onMove(current.cpu, event.code === "ArrowDown" ? 1 : -1);
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
    >
      {rows.map((row) => {
        const { cpu, fold } = row;
        const words = (fold === undefined ? [describeCpu(trace, cpu, ns), ...(marks.get(cpu) ?? [])] : fold.say(trace, ns)).join("; ");
        const key = keyOf(row);
        return (
          <div
            key={key}
            role="row"
            aria-rowindex={all.indexOf(row) + 1}
            {...(fold === undefined ? { "data-cpu": cpu } : { "data-group": fold.group, "data-open": fold.open })}
            data-row={key}
            tabIndex={row === current ? 0 : -1}
            aria-label={words}
            style={{ top: row.top - scrollTop, height: row.height }}
            onFocus={() => {
              setActive(key);
              if (fold === undefined) onPoint(cpu);
            }}
          >
            <span role="gridcell">{words}</span>
          </div>
        );
      })}
    </div>
  );
});

/** Whether the key is one of this row's. */
function act(code: string, { cpu, fold }: LaneRow, { run, ns, onPlayhead, onSelect, onFold }: TwinProps): boolean {
  const arrow = code === "ArrowLeft" || code === "ArrowRight";
  if (fold !== undefined) {
    const folds = code === "Enter" || (code === "ArrowRight" && !fold.open) || (code === "ArrowLeft" && fold.open);
    if (folds) onFold(fold.group);
    return folds || arrow;
  }
  if (arrow) onPlayhead(neighbour(run, cpu, ns, code === "ArrowRight"));
  else if (code === "Enter") onSelect(wakeOf(run.trace, cpu, ns));
  return arrow || code === "Enter";
}

/** Of so many rows. */
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
  if (lane === undefined || lane.count === 0) return ns;
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
