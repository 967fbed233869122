// How the lanes of all sides lie, as one function that the sides share, and the lane that must be
// in sight.

import { useEffect, useMemo, useRef } from "react";
import type { TimelineProps } from "../plot/timeline-props.ts";
import type { Lay } from "../plot/lane-rows.ts";
import { layRows } from "../plot/lane-rows.ts";
import type { LaneTools } from "./use-tools.ts";

export function numbersOf(pins: string): readonly number[] {
  return pins === "" ? [] : pins.split(" ").map(Number);
}

/**
 * Whether the text of the lanes, or the step, asks for a track over them: its room is there before
 * its script is.
 */
export function hasTrack(
  { lanes, hero }: Pick<TimelineProps, "lanes" | "hero">,
  track: "counters" | "ring" | "instead",
): boolean {
  return hero === track || lanes.split("_").includes(track);
}

/** Tracks over the lanes, and the CPUs worth a row of full size. */
interface Over {
  readonly pins: string;
  readonly withLock: boolean;
  readonly withTask: boolean;
  readonly withTaskLock: boolean;
}

/**
 * How the lanes lie on all sides: in order, until the tools have come that know what the viewer
 * chose.
 */
export function useLay(
  tools: LaneTools | undefined,
  {
    sides,
    lanes,
    hero,
    reveal,
    stepCpus,
    head,
    subject,
    room = "plenty",
    scale = 1,
  }: TimelineProps,
  { pins, withLock, withTask, withTaskLock }: Over,
): Arrangement {
  const wanted = [...(reveal === undefined ? [] : [reveal.cpu]), ...(stepCpus ?? [])].join(" ");
  return useMemo(() => {
    const interest = numbersOf(pins);
    const traces = sides.map(({ trace }) => trace);
    const most = Math.max(0, ...traces.map(({ lanes: all }) => all.length));
    const tall = tallOf(subject, most);
    const fillPx = head === undefined ? undefined : FILL_PX * scale;
    const inOrder: Lay = (cpus, px) => layRows(cpus, px, interest, { most, tall, fillPx });
    if (tools === undefined)
      return {
        lay: inOrder,
        arranged: undefined,
        tracks: [],
      };
    const done = sides.every(({ running }) => !running);
    const arranged = tools.arrange(lanes, traces, done, interest, numbersOf(wanted));
    const around = tools.layAround(arranged, lanes, traces, subject, scale);
    const plain = head !== undefined && lanes === "" && !arranged.grouped ? inOrder : arranged.lay;
    const lay: Lay =
      around ?? (room === "plenty" ? plain : (cpus, px) => tools.fitted(plain(cpus, px), px));
    const tracks = [
      ...tools.heroLegend({ lanes, hero }),
      ...(arranged.choice.counters ? tools.COUNTER_LEGEND : []),
      ...(withLock ? tools.LOCK_LEGEND : []),
      ...(withTaskLock ? tools.taskLockLegend(traces) : []),
      ...(withTask ? tools.TASK_LEGEND : []),
    ];
    return { lay, arranged, tracks };
  }, [
    tools,
    sides,
    lanes,
    hero,
    wanted,
    pins,
    withLock,
    withTask,
    withTaskLock,
    room,
    head,
    subject,
    scale,
  ]);
}

/** The greatest height of a lane under a head of the page's own, CSS px. */
const FILL_PX = 160;
/**
 * Share of the lanes up to which some are tall, until the tools have come that draw the others as
 * one.
 */
const FEW = 1 / 3;

/** The lanes that a guided step is about; undefined where it is about too many of them, or none. */
function tallOf(subject: readonly number[] = [], most: number): ReadonlySet<number> | undefined {
  const some = subject.length > 0 && subject.length <= FEW * most;
  return some ? new Set(subject) : undefined;
}

export interface Arrangement {
  readonly lay: Lay;
  readonly arranged: ReturnType<LaneTools["arrange"]> | undefined;
  /** Legend of the tracks over the lanes. */
  readonly tracks: LaneTools["COUNTER_LEGEND"];
}

/** Scrolls to the CPU that is walked along, if its lane is out of sight. */
export function useReveal(
  { sides, reveal }: TimelineProps,
  lay: Lay,
  lanesPx: number,
  onScroll: (to: (from: number) => number) => void,
): void {
  const latest = useRef({ sides, lay, lanesPx });
  useEffect(() => {
    latest.current = { sides, lay, lanesPx };
  });
  const { cpu, ns } = reveal ?? {};
  useEffect(() => {
    if (cpu === undefined || ns === undefined) return;
    const now = latest.current;
    const rows = now.lay(
      Math.max(0, ...now.sides.map(({ trace }) => trace.lanes.length)),
      now.lanesPx,
    );
    const row = rows.rowOfCpu[cpu];
    if (row === undefined || row.pinned) return;
    onScroll((from) => {
      const seen = row.top >= from + rows.pinnedPx && row.top + row.height <= from + now.lanesPx;
      return seen ? from : Math.max(0, row.top - (now.lanesPx + rows.pinnedPx) / 2);
    });
  }, [cpu, ns, onScroll]);
}
