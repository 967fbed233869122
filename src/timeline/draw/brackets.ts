// Which lanes share a cache or a core: a bracket around the lanes of each.
//
//   ┌ cpu0 ┌│ lane       outer: the CPUs of a cache, where the machine has several
//   │ cpu1 └│ lane       inner: the hardware threads of a core
//   │ cpu2 ┌│ lane
//   └ cpu3 └│ lane

import type { RunShape } from "../../model/index.ts";
import type { LaneRow, LaneRows } from "../plot/lane-rows.ts";

/** From the top of the first lane to the bottom of the last, CSS px as in `LaneRow`. */
export interface Bracket {
  readonly top: number;
  readonly bottom: number;
}

export interface Brackets {
  readonly caches: readonly Bracket[];
  readonly cores: readonly Bracket[];
}

/** Lower lanes have no room for a bracket around two of them, CSS px. */
const LANE_LEAST = 4;
/** Between brackets, CSS px. */
const GAP_PX = 1;
/** How far the ends of a bracket reach, CSS px. */
const END_PX = 3;

/** None where lanes are not in order of their numbers: neighbours share nothing then. */
export function bracketsOf(
  rows: LaneRows,
  { cpus, package_size: size = cpus, threads_per_core: threads = 1 }: RunShape,
): Brackets {
  const lanes = rows.sorted === true ? [] : rows.rows.filter(({ pinned }) => !pinned);
  const cacheOf = (cpu: number): number => Math.floor(cpu / size);
  // Cores begin anew with each cache, whose last one may be smaller.
  const coreOf = (cpu: number): number => cacheOf(cpu) * size + Math.floor((cpu % size) / threads);
  const high = lanes.filter(({ height }) => height >= LANE_LEAST);
  return {
    caches: size < cpus ? around(lanes, cacheOf, 1) : [],
    cores: threads > 1 ? around(high, coreOf, 2) : [],
  };
}

/** Brackets around neighbours of one part, of `least` lanes each; strips lie between them. */
function around(
  lanes: readonly LaneRow[],
  partOf: (cpu: number) => number,
  least: number,
): readonly Bracket[] {
  const runs: LaneRow[][] = [];
  let part: number | undefined;
  for (const lane of lanes) {
    const own = lane.fold === undefined ? partOf(lane.cpu) : undefined;
    if (own === undefined) part = undefined;
    else if (own === part) runs.at(-1)?.push(lane);
    else {
      runs.push([lane]);
      part = own;
    }
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    if (run.length < least || first === undefined || last === undefined) return [];
    return [{ top: first.top, bottom: last.top + last.height }];
  });
}

/** Draws them with their line from `x` on; their ends point to the right, to the lanes. */
export function drawBrackets(
  context: CanvasRenderingContext2D,
  brackets: readonly Bracket[],
  place: { readonly x: number; readonly scrollTop: number; readonly width: number },
): void {
  const { x, scrollTop, width } = place;
  for (const { top, bottom } of brackets) {
    const from = top - scrollTop + GAP_PX;
    const height = Math.max(1, bottom - top - 2 * GAP_PX - 1);
    context.fillRect(x, from, width, height);
    context.fillRect(x, from, width + END_PX, width);
    context.fillRect(x, from + height - width, width + END_PX, width);
  }
}
