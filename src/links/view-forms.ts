// How a link writes a stretch of time, an area and markers: `10ms-12ms`, `10ms-12ms_0-3.7`,
// `12ms-10ms`. Text from anywhere: what is not of this form is undefined.

import { rangeWords } from "../lib/ranges.ts";
import type { Area, Markers, Viewport } from "../model/trace/run-types.ts";
import { parseTime, writeTime } from "../scenario/knob-values.ts";

/** No machine has more CPUs. */
const CPUS_MAX = 1024;

export function readViewport(text: string): Viewport | undefined {
  const [from, to] = text.split("-").map((part) => parseTime(part));
  return from !== undefined && to !== undefined && from < to
    ? { fromNs: from, toNs: to }
    : undefined;
}

export function writeViewport({ fromNs, toNs }: Viewport): string {
  const from = Math.max(0, Math.floor(fromNs));
  return `${writeTime(from)}-${writeTime(Math.max(from + 1, Math.ceil(toNs)))}`;
}

export function readArea(text: string): Area | undefined {
  const [times = "", list, ...more] = text.split("_");
  const stretch = readViewport(times);
  if (stretch === undefined || more.length > 0) return undefined;
  if (list === undefined) return stretch;
  const cpus = readCpus(list);
  return cpus === undefined ? undefined : { ...stretch, cpus };
}

export function writeArea(area: Area): string {
  const stretch = writeViewport(area);
  return area.cpus === undefined ? stretch : `${stretch}_${rangeWords(area.cpus, "-", ".")}`;
}

/**
 * `<from>-<to>`, either of which may be missing, the later one first or last. One later than
 * `endNs` is on no axis.
 */
export function readMarkers(text: string, endNs: number): Markers | undefined {
  const [from, to, ...more] = text
    .split("-")
    .map((part) => (part === "" ? undefined : (parseTime(part) ?? Infinity)));
  if (more.length > 0 || (from === undefined && to === undefined)) return undefined;
  return [from, to].some((ns) => ns !== undefined && (ns > endNs || ns === Infinity))
    ? undefined
    : { from, to };
}

/** Undefined where there is none. */
export function writeMarkers({ from, to }: Markers): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  return [from, to].map((ns) => (ns === undefined ? "" : writeTime(ns))).join("-");
}

/** Ascending without doubles; anything else was not written by a page. */
function readCpus(list: string): readonly number[] | undefined {
  const cpus: number[] = [];
  for (const range of list.split(".")) {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(range);
    if (match === null) return undefined;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last >= CPUS_MAX || first <= (cpus.at(-1) ?? -1)) return undefined;
    for (let cpu = first; cpu <= last; cpu += 1) cpus.push(cpu);
  }
  return cpus;
}
