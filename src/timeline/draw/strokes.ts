// Shapes that several marks, the tracks above the lanes and the legend draw. Pure strokes: no data.

/** Lines of the hatch lie so far apart, CSS px. */
const HATCH_PX = 6;

/** Eight rays: a task is woken. */
export function burst(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.lineWidth = 1.5;
  context.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const angle = (ray * Math.PI) / 4;
    const long = ray % 2 === 0 ? size : size * 0.75;
    context.moveTo(x + Math.cos(angle) * size * 0.3, y + Math.sin(angle) * size * 0.3);
    context.lineTo(x + Math.cos(angle) * long, y + Math.sin(angle) * long);
  }
  context.stroke();
}

/** 45 degrees over a stretch that may not run, with a pause sign where there is room. */
export function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  // A slanted line needs some room to be one.
  if (width < 3 || height < 4)
    return context.fillRect(left, top + height / 3, width, Math.max(1, height / 3));
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.beginPath();
  // Anchored to the page and not to the stretch, so that neighbours join.
  for (let x = Math.floor((left - height) / HATCH_PX) * HATCH_PX; x < left + width; x += HATCH_PX) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
  context.fillRect(left, top, 1, height);
  if (width < 22 || height < 10) return;
  const middle = left + width / 2;
  context.fillRect(middle - 4, top + height * 0.2, 3, height * 0.6);
  context.fillRect(middle + 1, top + height * 0.2, 3, height * 0.6);
}

/** A drop with its tip up; hollow with its tip down for what goes back. */
export function drop(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  back: boolean,
): void {
  dropPath(context, x, y, size, back);
  if (back) context.stroke();
  else context.fill();
}

/** The outline of a drop with its tip up, or down. */
export function dropPath(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  back: boolean,
): void {
  const tip = back ? size * 2 : -size * 2;
  context.beginPath();
  context.moveTo(x, y + tip);
  context.quadraticCurveTo(x + size * 1.4, y, x, y + (back ? -size : size));
  context.quadraticCurveTo(x - size * 1.4, y, x, y + tip);
}

/** A small triangle on its base at `base` with its tip at `tip`. */
export function caret(
  context: CanvasRenderingContext2D,
  x: number,
  base: number,
  tip: number,
  hollow: boolean,
): void {
  context.beginPath();
  context.moveTo(x, tip);
  context.lineTo(x - 3, base);
  context.lineTo(x + 3, base);
  context.closePath();
  if (hollow) context.stroke();
  else context.fill();
}
