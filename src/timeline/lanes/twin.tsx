// The lanes for people who do not see them: a grid with one row per CPU that says what the CPU does at the playhead. Rows lie over
// their lanes, so that the focus ring shows where they are. Arrow up and down move along CPUs, left and right along the slices of one;
// Enter selects the wake-up there.

import { memo, useRef, useState } from "react";
import type { KeyboardEvent, ReactElement } from "react";
import { describeCpu } from "../../model/index.ts";
import type { Selection, TraceStore } from "../../model/index.ts";
import type { Run } from "../marks/mark.ts";
import { spokenAt, stepOf } from "../marks/registry.ts";
import type { LaneRow } from "./rows.ts";

interface TwinProps {
  readonly run: Run;
  readonly title: string;
  readonly rows: readonly LaneRow[];
  readonly scrollTop: number;
  readonly ns: number;
  readonly onPlayhead: (ns: number) => void;
  readonly onSelect: (selection: Selection | undefined) => void;
  /** A CPU's row has the focus. */
  readonly onPoint: (cpu: number) => void;
  /** Another number when the finished part of the trace is another; it stays while a run is being computed. */
  readonly version: number;
}

/** Drawn again only when what it says may have changed: a row for each of 256 CPUs takes longer than a frame. */
export const LaneTwin = memo(function LaneTwin({
  run,
  title,
  rows,
  scrollTop,
  ns,
  onPlayhead,
  onSelect,
  onPoint,
}: TwinProps): ReactElement {
  const { trace } = run;
  const [active, setActive] = useState(0);
  const marks = spokenAt(run, ns);
  const grid = useRef<HTMLDivElement>(null);
  const focusCpu = (cpu: number): void => {
    setActive(cpu);
    grid.current?.querySelector<HTMLElement>(`[data-cpu="${cpu}"]`)?.focus();
  };
  const cpus = rows.map((row) => row.cpu);
  const current = cpus.includes(active) ? active : (cpus[0] ?? 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = keyTarget(event.code, cpus, current);
    if (to !== undefined) focusCpu(to);
    else if (event.code === "ArrowLeft" || event.code === "ArrowRight")
      onPlayhead(neighbour(run, current, ns, event.code === "ArrowRight"));
    else if (event.code === "Enter") onSelect(wakeOf(trace, current, ns));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={grid}
      className="tl-twin"
      role="grid"
      aria-label={`${title}: what each CPU does at the playhead`}
      aria-rowcount={trace.lanes.length}
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => {
        const words = [describeCpu(trace, row.cpu, ns), ...(marks.get(row.cpu) ?? [])].join("; ");
        return (
          <div
            key={`${row.pinned ? "pin" : "cpu"}${row.cpu}`}
            role="row"
            aria-rowindex={row.cpu + 1}
            data-cpu={row.cpu}
            tabIndex={row.cpu === current ? 0 : -1}
            aria-label={words}
            style={{ top: row.top - scrollTop, height: row.height }}
            onFocus={() => {
              setActive(row.cpu);
              onPoint(row.cpu);
            }}
          >
            <span role="gridcell">{words}</span>
          </div>
        );
      })}
    </div>
  );
});

function keyTarget(code: string, cpus: readonly number[], current: number): number | undefined {
  const at = cpus.indexOf(current);
  switch (code) {
    case "ArrowDown":
      return cpus[Math.min(cpus.length - 1, at + 1)];
    case "ArrowUp":
      return cpus[Math.max(0, at - 1)];
    case "Home":
      return cpus[0];
    case "End":
      return cpus.at(-1);
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
