// The lanes that a step is about, large, and around them what the other CPUs do together: a strip
// for each run of neighbours, never over the edge of a package.
//
//    cpu0   ████████░░░░████      of the step
//    1–6    ▁▁▃▃▁▁▁▁▁▁▁▁▁▁▁▁      a mix of states
//    cpu7   ░░░░██████░░░░░░      of the step

import { rangeWords } from "../../lib/ranges.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Fold, LaneRow, LaneRows, Lay } from "../plot/lane-rows.ts";
import { assembled, laneRow } from "../plot/lane-rows.ts";
import type { Arranged } from "./arrange.ts";
import { laneOf, mixWords, stripRow } from "./arrange.ts";

/** Heights, CSS px. */
const STRIP = { least: 8, most: 26 } as const;
const LANE = { least: 3, most: 160 } as const;
/** How much of the room strips take at most. */
const STRIPS_SHARE = 0.4;

/** Share of the lanes up to which they are drawn larger than the others. */
const SUBJECT_MOST = 2 / 3;
/** So many lanes are drawn besides strips where the machine is so large that lanes are gathered. */
const GROUPED_MOST = 32;
/** With more strips than this neighbouring packages share one. */
const STRIPS_MOST = 10;

/**
 * `subject`: the CPUs of the step, ascending; `scale` multiplies the greatest heights. Rows lie at
 * one place on all sides. Undefined where lanes are as the viewer has arranged them, and where most of them are the step's.
 */
export function layAround(
  { grouped }: Arranged,
  lanes: string,
  traces: readonly TraceStore[],
  subject: readonly number[] = [],
  scale = 1,
): Lay | undefined {
  const most = Math.max(0, ...traces.map((trace) => trace.lanes.length));
  const few = subject.length <= (grouped ? GROUPED_MOST : SUBJECT_MOST * most);
  if (lanes !== "" || subject.length === 0 || !few) return undefined;
  const sizes = traces.map(({ shape }) => shape.package_size ?? most);
  const ofPackages = partsOf(most, subject, Math.max(1, Math.min(most, ...sizes)));
  const many = ofPackages.length - subject.length > STRIPS_MOST;
  const parts = many ? partsOf(most, subject, most) : ofPackages;
  return (cpus, px) => laidAround(cpus, px, parts, scale);
}

interface Part {
  readonly cpus: readonly number[];
  readonly isSubject: boolean;
}

/** Runs of neighbours that share a strip, and each CPU of the step alone, in order. */
function partsOf(cpus: number, subject: readonly number[], packageSize: number): readonly Part[] {
  const parts: { cpus: number[]; isSubject: boolean }[] = [];
  for (let cpu = 0; cpu < cpus; cpu += 1) {
    const last = parts.at(-1);
    const isSubject = subject.includes(cpu);
    if (isSubject || last === undefined || last.isSubject || cpu % packageSize === 0)
      parts.push({ cpus: [cpu], isSubject });
    else last.cpus.push(cpu);
  }
  return parts;
}

function laidAround(cpus: number, px: number, parts: readonly Part[], scale: number): LaneRows {
  const lanes = parts.filter(({ isSubject }) => isSubject).length;
  const strips = parts.length - lanes;
  const share = Math.floor((px * STRIPS_SHARE) / Math.max(1, strips));
  const strip = Math.max(STRIP.least, Math.min(STRIP.most * scale, share));
  const room = Math.floor((px - strips * strip) / lanes);
  const lane = Math.max(LANE.least, Math.min(LANE.most * scale, room));
  const rows: LaneRow[] = [];
  const stripOfCpu: LaneRow[] = [];
  let top = 0;
  for (const [index, part] of parts.entries()) {
    const height = part.isSubject ? lane : strip;
    const own = part.cpus.filter((cpu) => cpu < cpus);
    const [first] = own;
    if (first !== undefined && part.cpus.length === 1)
      rows.push(laneRow(first, top, height, false));
    else if (first !== undefined) {
      const row = stripRow(foldOf(own, index, strips), top, height);
      rows.push(row);
      for (const cpu of own) stripOfCpu[cpu] = row;
    }
    top += height;
  }
  const laid = assembled(cpus, { rows: [], px: 0 }, rows, top);
  return { ...laid, stripOfCpu };
}

function foldOf(cpus: readonly number[], group: number, groups: number): Fold {
  const label = rangeWords(cpus);
  return {
    fixed: true,
    // Every strip is numbered, however low the rows.
    group: group * EVERY,
    cpus,
    open: false,
    label,
    sample: (trace, fromNs, toNs, pixels, out) =>
      laneOf(trace, cpus, groups).sample(fromNs, toNs, pixels, trace.endNs, out),
    say: (trace, ns) => [`CPUs ${label} together`, mixWords(trace, cpus, ns)],
  };
}

/** Numbers are left out by powers of two up to this one. */
const EVERY = 1_024;
