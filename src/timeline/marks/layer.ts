// The canvas over the lanes: all marks of the registry, what is not simulated yet, the selected
// wake-up, CPU numbers, and all words in one layer.

import type { LabelLayer } from "../draw/label-layer.ts";
import { drawFaint, faintBlocks } from "../draw/faint.ts";
import { rowsInView } from "../plot/lane-rows.ts";
import type { MarkedWake } from "../plot/timeline-props.ts";
import {
  drawGutter,
  drawSelection,
  drawUnknown,
  nameLacking,
  nameSlices,
} from "../draw/lane-words.ts";
import { isAside, type Scene } from "./mark.ts";
import { drawnMarks } from "./registry.ts";

interface Shown {
  /** The selected wake-up. */
  readonly wake: MarkedWake | undefined;
  readonly running: boolean;
  /** CPUs the caption speaks of; none: all rows are alike. */
  readonly emphasis?: readonly number[];
}

export function drawMarks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  labels: LabelLayer,
  { wake, running, emphasis = [] }: Shown,
): void {
  const { plot } = scene;
  labels.begin(context, plot);
  drawUnknown(context, plot, running, labels);
  for (const mark of drawnMarks(scene)) {
    labels.hush(isAside(scene, mark.id));
    mark.draw(context, scene, labels);
  }
  labels.hush(false);
  const faint = faintBlocks(
    rowsInView(plot.rows, plot.scrollTop, plot.height),
    plot.scrollTop,
    emphasis,
  );
  drawFaint(context, plot, faint);
  if (wake !== undefined) drawSelection(context, plot, wake, labels);
  nameSlices(plot, labels);
  nameLacking(plot, labels);
  labels.write(context, plot, faint);
  drawGutter(context, plot);
}
