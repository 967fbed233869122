// The legend's picture of an interrupt: a bar of a task with one pin, by the code that paints the
// lanes.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import type { TimelineTheme } from "../draw/theme.ts";
import { paintBarSwatch } from "../lanes/swatches.ts";

export function pinSwatch(context: CanvasRenderingContext2D, theme: TimelineTheme): void {
  paintBarSwatch(context, theme, CPU_STATE.User, { pinAt: 0.5 });
}
