// Lanes where there is little room: all of them in sight. Pure.

import type { LaneRow, LaneRows } from "../plot/lane-rows.ts";
import { laneRow } from "../plot/lane-rows.ts";

/**
 * The rows pressed together until all are in `px` CSS px, none lower than a pixel; pinned ones keep
 * their height.
 */
export function fitted(rows: LaneRows, px: number): LaneRows {
  const { pinnedPx, height } = rows;
  if (height <= px) return rows;
  const lowest = Math.min(...rows.rows.map((row) => (row.pinned ? Infinity : row.height)));
  const share = Math.min(1, Math.max(1 / lowest, (px - pinnedPx) / (height - pinnedPx)));
  const low = new Map(
    rows.rows.map((row) => [row, row.pinned ? row : pressed(row, pinnedPx, share)]),
  );
  const at = (row: LaneRow): LaneRow => low.get(row) ?? row;
  return {
    ...rows,
    rows: rows.rows.map(at),
    height: pinnedPx + (height - pinnedPx) * share,
    rowOfCpu: rows.rowOfCpu.map((row) => row && at(row)),
    ...(rows.stripOfCpu === undefined ? {} : { stripOfCpu: rows.stripOfCpu.map(at) }),
  };
}

function pressed(row: LaneRow, from: number, share: number): LaneRow {
  const [top, height] = [from + (row.top - from) * share, row.height * share];
  if (row.fold === undefined) return laneRow(row.cpu, top, height, false);
  return {
    ...row,
    top,
    height,
    barTop: top + (row.barTop - row.top) * share,
    barHeight: row.barHeight * share,
  };
}
