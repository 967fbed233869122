// A picture as a list of shapes: what the drawing code asked a canvas for, kept so that it can be
// written as SVG or PDF. Places are in CSS px of the whole picture, transforms are already applied.

/** `M x y`, `L x y`, `C x1 y1 x2 y2 x y`, `Z`. */
export interface Command {
  readonly op: "M" | "L" | "C" | "Z";
  readonly at: readonly number[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A texture that is repeated: pixels of `size` CSS px, 0xAABBGGRR, 0 where what lies below shows.
 */
export interface Tile {
  readonly data: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly size: number;
}

export interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[];
}

export type Font = { readonly size: number; readonly weight: number; readonly mono: boolean };

export type Shape =
  | { readonly kind: "rect"; readonly box: Box; readonly colour: string; readonly alpha: number }
  | {
      readonly kind: "path";
      readonly commands: readonly Command[];
      readonly fill: string | undefined;
      readonly stroke: Stroke | undefined;
      readonly alpha: number;
    }
  /**
   * `x` is the left edge, `y` the baseline; `width` is that of the words on the screen they were
   * measured on.
   */
  | {
      readonly kind: "text";
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly font: Font;
      readonly colour: string;
      readonly alpha: number;
    }
  /** The texture begins at `anchorX` and at the box's top. */
  | { readonly kind: "tile"; readonly box: Box; readonly anchorX: number; readonly tile: Tile }
  /** `png`: a data address. */
  | { readonly kind: "image"; readonly box: Box; readonly png: string }
  /** What follows shows only inside, until the matching `unclip`. */
  | { readonly kind: "clip"; readonly commands: readonly Command[] }
  | { readonly kind: "unclip" };

/** Where a shape lies, or a box around that; undefined for what has no ink. */
export function boundsOf(shape: Shape): Box | undefined {
  switch (shape.kind) {
    case "rect":
    case "tile":
    case "image":
      return shape.box;
    case "text":
      return {
        x: shape.x,
        y: shape.y - 2 * shape.font.size,
        width: shape.width,
        height: 4 * shape.font.size,
      };
    case "path":
      return around(
        shape.commands.flatMap(({ at }) => at),
        shape.stroke?.width ?? 0,
      );
    case "clip":
    case "unclip":
      return undefined;
  }
}

/** `at`: x and y by turns. */
function around(at: readonly number[], margin: number): Box {
  const side = (odd: number): readonly [number, number] => {
    const own = at.filter((_, index) => index % 2 === odd);
    return [Math.min(...own) - margin, Math.max(...own) + margin];
  };
  const [[left, right], [top, bottom]] = [side(0), side(1)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** `#RRGGBB` of a pixel 0xAABBGGRR. */
export function hexOf(pixel: number): string {
  const channel = (shift: number): string =>
    ((pixel >>> shift) & 255).toString(16).padStart(2, "0");
  return `#${channel(0)}${channel(8)}${channel(16)}`;
}

interface PixelRect extends Box {
  readonly colour: string;
}

/** Pixels as few rectangles of one colour each; what is transparent is left out. */
export function pixelRects({
  data,
  width,
  height,
}: Pick<Tile, "data" | "width" | "height">): readonly PixelRect[] {
  const done: PixelRect[] = [];
  let open = new Map<string, PixelRect>();
  for (let y = 0; y < height; y += 1) {
    const next = new Map<string, PixelRect>();
    for (let x = 0; x < width;) {
      const pixel = data[y * width + x] ?? 0;
      let stop = x + 1;
      while (stop < width && data[y * width + stop] === pixel) stop += 1;
      if (pixel >>> 24 !== 0) {
        const key = `${x} ${stop} ${pixel}`;
        const above = open.get(key);
        next.set(key, {
          x,
          width: stop - x,
          colour: hexOf(pixel),
          y: above?.y ?? y,
          height: (above?.height ?? 0) + 1,
        });
        open.delete(key);
      }
      x = stop;
    }
    done.push(...open.values());
    open = next;
  }
  return [...done, ...open.values()];
}
