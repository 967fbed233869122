// Test support: a canvas that remembers where ink fell, so that a test can ask for what was drawn
// at its place. Never part of the product.

export interface Inked {
  /** Points on every shape that was filled or stroked, CSS px. */
  readonly shapes: readonly { readonly x: number; readonly y: number }[];
  readonly words: readonly string[];
  /** Colours of the shapes. */
  readonly inks: ReadonlySet<string>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Shape extends Point {
  readonly ink: string;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

function isInside({ x, y }: Point, box: Box | undefined): boolean {
  return (
    box === undefined ||
    (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
  );
}

/** Node has no ImageData. */
class Image {
  readonly data: Uint8ClampedArray;
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.data = new Uint8ClampedArray(width * height * 4);
  }
}

/** What `draw` puts on a canvas. */
export function inked(draw: (context: CanvasRenderingContext2D) => void): Inked {
  const shapes: Shape[] = [];
  const words: string[] = [];
  let path: Point[] = [];
  let box: Box | undefined;
  let clipped: Box | undefined;
  const last = (): Point => path.at(-1) ?? { x: 0, y: 0 };
  const line = (x: number, y: number): void => {
    const from = last();
    for (let share = 0.25; share <= 1; share += 0.25)
      path.push({ x: from.x + (x - from.x) * share, y: from.y + (y - from.y) * share });
  };
  const keep = (ink: string): void => {
    for (const point of path) if (isInside(point, clipped)) shapes.push({ ...point, ink });
  };
  const context = {
    canvas: { width: 26, height: 14 },
    font: "",
    fillStyle: "",
    strokeStyle: "",
    measureText: (text: string) => ({ width: text.length * 6 }),
    beginPath: () => (path = []),
    moveTo: (x: number, y: number) => path.push({ x, y }),
    lineTo: line,
    quadraticCurveTo: (cx: number, cy: number, x: number, y: number) => {
      const from = last();
      for (let t = 0.2; t < 1.1; t += 0.2) {
        const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
        path.push({ x: a * from.x + b * cx + c * x, y: a * from.y + b * cy + c * y });
      }
    },
    rect: (x: number, y: number, width: number, height: number) => (box = { x, y, width, height }),
    clip: () => (clipped = box),
    save: () => undefined,
    restore: () => (clipped = undefined),
    arc: (x: number, y: number) => path.push({ x, y }),
    fill: () => keep(context.fillStyle),
    stroke: () => keep(context.strokeStyle),
    fillRect: (x: number, y: number, width: number, height: number) => {
      if (width > 0 && height > 0)
        shapes.push({ x: x + width / 2, y: y + height / 2, ink: context.fillStyle });
    },
    strokeRect: (x: number, y: number, width: number, height: number) =>
      context.fillRect(x, y, width, height),
    fillText: (text: string) => {
      words.push(text);
      // The plate under the words was a rectangle: words are no shape.
      shapes.pop();
    },
    putImageData: (image: { readonly data: Uint8ClampedArray }) => {
      if (new Set(image.data).size > 2) shapes.push({ x: 0, y: 0, ink: "" });
    },
    setLineDash: () => undefined,
    closePath: () => undefined,
    translate: () => undefined,
    rotate: () => undefined,
  };
  provideImageData();
  draw(context as unknown as CanvasRenderingContext2D);
  return { shapes, words, inks: new Set(shapes.map(({ ink }) => ink)) };
}

/** Swatches of lanes are painted into an ImageData, which Node lacks. */
export function provideImageData(): void {
  if (typeof ImageData === "undefined") globalThis.ImageData = Image as unknown as typeof ImageData;
}
