// The pointer over the lanes: what lies under it, in words beside it, and what a press there does.

import { type MouseEvent, type PointerEvent, type ReactElement, useRef, useState } from "react";
import { describeSlice } from "../../model/words/describe.ts";
import { Tip } from "../draw/tip.tsx";
import { pointOf, tapAt } from "../input/pointed.ts";
import { fitTo } from "../../model/trace/viewport.ts";
import { type Hit, hitAt, stretchAt, wakeAt } from "../marks/hit.ts";
import type { Scene } from "../marks/mark.ts";
import { useRuleWords } from "../marks/rule-words.ts";
import { rowAt } from "../plot/lane-rows.ts";
import type { Press } from "../plot/grab.ts";
import type { GhostRun, TimelineSide, Viewport } from "../plot/timeline-props.ts";
import type { SideProps } from "./side-props.ts";

interface PlacedHit extends Hit {
  readonly x: number;
  readonly y: number;
}

interface PointerState {
  readonly hit: PlacedHit | undefined;
  readonly handlers: {
    readonly onPointerMove: (event: PointerEvent<HTMLDivElement>) => void;
    readonly onPointerLeave: () => void;
    readonly onClick: (event: MouseEvent<HTMLDivElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

/**
 * Only the point is kept: its answer is looked up again when the picture moves under a resting
 * pointer.
 */
export function usePointer(
  {
    side,
    pointer,
    tools,
    lanes,
    domainNs,
    onLanes,
    onSelect,
    onPlayhead,
    onPoint,
    onViewport,
    onGrab,
  }: SideProps,
  scene: Scene,
): PointerState {
  const [point, setPoint] = useState<{ readonly x: number; readonly y: number } | undefined>(
    undefined,
  );
  const clicked = useRef<Viewport>(undefined);
  const hit = point === undefined ? undefined : hitAt(scene, point.x, point.y);
  return {
    hit: hit === undefined || point === undefined ? undefined : { ...hit, ...point },
    handlers: {
      onPointerMove: (event) => {
        const at =
          event.buttons === 0 && event.pointerType === "mouse" ? pointOf(event) : undefined;
        setPoint(at);
        const row =
          at === undefined ? undefined : rowAt(scene.plot.rows, at.y + scene.plot.scrollTop);
        const here =
          at === undefined ||
          row?.fold !== undefined ||
          row === undefined ||
          at.x < scene.plot.gutter
            ? undefined
            : { x: at.x, cpu: row.cpu };
        pointer.set(here === undefined ? undefined : { ...here, side: side.id, trace: side.trace });
        if (row !== undefined && row.fold === undefined) onPoint(row.cpu, side.id);
      },
      onPointerLeave: () => {
        setPoint(undefined);
        pointer.set(undefined);
      },
      onClick: (event) => {
        // The first click may have moved the rows: what a second one means is what lay under the
        // first.
        if (event.detail > 1) return;
        const { x, y } = tapAt(event, setPoint);
        const found = hitAt(scene, x, y);
        clicked.current = found && stretchAt(scene.plot, found);
        if (found === undefined) return;
        onPlayhead(Math.round(found.ns));
        if (found.fold?.fixed === true) return;
        if (found.fold !== undefined)
          return tools && onLanes(tools.toggleGroup(lanes, found.fold.group));
        const wake = wakeAt(scene.plot, found);
        if (wake !== undefined) onSelect(wake, side.id);
        onGrab?.(pressOf(side.id, found, event));
      },
      onDoubleClick: () => {
        if (clicked.current !== undefined) onViewport(fitTo(clicked.current, domainNs), "end");
      },
    },
  };
}

function pressOf(
  side: TimelineSide["id"],
  { cpu, ns, slice, mark }: Hit,
  { clientX: x, clientY: y }: MouseEvent,
): Press {
  return { kind: "press", side, cpu, ns: Math.round(ns), task: slice?.task, mark, x, y };
}

interface LaneTipProps {
  readonly side: TimelineSide;
  readonly hit: PlacedHit | undefined;
  readonly width: number;
  readonly height: number;
}

export function LaneTip({ side, hit, ...box }: LaneTipProps): ReactElement | null {
  const last = useRuleWords(side.trace, side.kernel, hit);
  if (hit === undefined) return null;
  const under =
    side.ghost !== undefined && hit.fold === undefined
      ? ghostLines(side.ghost, hit.cpu, hit.ns)
      : [];
  const lines = [...hit.lines, ...under];
  return <Tip {...hit} {...box} lines={lines} last={last} testId="lane-tip" />;
}

/** The CPU of the run under the lanes, with that run's name; empty where that run lacks the CPU. */
function ghostLines({ trace, words }: GhostRun, cpu: number, ns: number): readonly string[] {
  const slice = trace.cpuAt(cpu, ns);
  return slice === undefined ? [] : [`${words}: ${describeSlice(trace, slice, ns)}`];
}
