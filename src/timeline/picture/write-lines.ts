// Lines of words on a canvas, each from its left end.

import type { Line } from "./layout.ts";

export function writeLines(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  font: string,
  colour: string,
): void {
  context.font = font;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  for (const { text, x, y } of lines) context.fillText(text, x, y);
}
