// The grid of the lanes in words, of one side: its words follow the picture and the playhead at
// rest.

import { type ReactElement, useCallback, useDeferredValue } from "react";
import { useSettled } from "../draw/use-settled.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { LaneTwin } from "./lane-twin.tsx";
import type { SideProps } from "./side-props.ts";

/** What stays in sight above a row that is gone to, CSS px. */
export const SEEK_PX = 140;

type Twin = Parameters<typeof LaneTwin>[0];
export type SpokenProps = Omit<SideProps, "onSelect" | "onPoint"> &
  Pick<Twin, "run" | "all" | "rows" | "onSelect" | "onPoint">;

export function SpokenLanes({
  side,
  tools,
  lanes,
  onLanes,
  onScroll,
  playheadNs,
  playing,
  ...rest
}: SpokenProps): ReactElement | null {
  // The words come after the picture: there are many of them, and before a run's first row there is
  // nothing to say.
  const known = useDeferredValue(side.version > 0, false);
  const ns = useDeferredValue(useSettled(playheadNs, playing));
  const onSeek = useCallback(
    (row: LaneRow) => onScroll(Math.max(0, row.top - SEEK_PX)),
    [onScroll],
  );
  const onFold = useCallback(
    (group: number) => tools && onLanes(tools.toggleGroup(lanes, group)),
    [tools, lanes, onLanes],
  );
  const onMove = useCallback(
    (cpu: number, by: 1 | -1) => tools && onLanes(tools.movePin(lanes, cpu, by)),
    [tools, lanes, onLanes],
  );
  const { run, all, rows, scrollTop, onPlayhead, onSelect, onPoint } = rest;
  const rowProps = {
    run,
    all,
    rows,
    scrollTop,
    onPlayhead,
    onSelect,
    onPoint,
    onSeek,
    onFold,
    onMove,
  };
  return known ? (
    <LaneTwin
      {...rowProps}
      title={side.whole ?? side.label}
      version={side.running ? 0 : side.version}
      ns={ns}
    />
  ) : null;
}
