// The two canvases of the lanes: the lanes as an image, and the marks and words over them.

import { type RefObject, useEffect, useState } from "react";
import { preparedContext } from "../../lib/frame-scheduler.ts";
import { LabelLayer } from "../draw/label-layer.ts";
import { LanePainter } from "../lanes/paint.ts";
import { drawMarks } from "../marks/layer.ts";
import type { Scene } from "../marks/mark.ts";
import type { SideProps } from "./side-props.ts";

/** The caption speaks of no CPU in particular: no row is faint. */
const NONE: readonly number[] = [];

type Canvas = RefObject<HTMLCanvasElement | null>;

/** Returns the layer that places the words. */
export function useLaneCanvas(
  props: SideProps,
  scene: Scene,
  base: Canvas,
  marks: Canvas,
): LabelLayer {
  const [labels] = useState(() => new LabelLayer());
  const [painter] = useState(() => new LanePainter());
  const { side, scheduler, wake, width, ratio, emphasis = NONE } = props;
  const { version, running, id } = side;
  const { plot } = scene;
  useEffect(() => {
    scheduler.want(`lanes ${id}`, () => {
      if (base.current === null || marks.current === null || width === 0) return;
      const under = preparedContext(base.current, width, plot.height, ratio);
      const over = preparedContext(marks.current, width, plot.height, ratio);
      if (under === undefined || over === undefined) return;
      painter.paint(under, plot);
      drawMarks(over, scene, labels, { wake, running, emphasis });
    });
  }, [
    scheduler,
    id,
    version,
    running,
    scene,
    plot,
    wake,
    emphasis,
    width,
    ratio,
    painter,
    labels,
    base,
    marks,
  ]);
  return labels;
}
