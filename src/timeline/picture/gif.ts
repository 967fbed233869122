// A film as GIF: one palette for all frames, and of each frame only the dots that changed.

import { GIFEncoder, quantize, type Palette } from "gifenc";
import { turn } from "../../lib/turn.ts";
import type { Frames, Making } from "./film.ts";
import { GIF_FPS } from "./film.ts";
import { contextOf } from "./surfaces.ts";

const DELAY_MS = 1000 / GIF_FPS;
/** The last of 256: here the frame before shows. */
const UNCHANGED = 255;

export async function gifOf(
  film: Frames,
  { signal, onFrame }: Making,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = film.canvas;
  const context = contextOf(film.canvas);
  const dotsOf = (frame: number): Uint32Array => {
    film.paint(frame);
    return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  };
  const palette = paletteOf([0, Math.floor(film.frames / 2), film.frames - 1].map(dotsOf));
  const nearest = nearestIn(palette);
  const encoder = GIFEncoder();
  const index = new Uint8Array(width * height);
  let last: Uint32Array | undefined;
  for (let frame = 0; frame < film.frames; frame += 1) {
    const dots = dotsOf(frame);
    for (let at = 0; at < dots.length; at += 1) {
      const dot = dots[at] ?? 0;
      index[at] = last?.[at] === dot ? UNCHANGED : nearest(dot);
    }
    last = dots;
    const first = frame === 0 ? { palette, repeat: 0 } : {};
    encoder.writeFrame(index, width, height, {
      ...first,
      delay: DELAY_MS,
      transparent: true,
      transparentIndex: UNCHANGED,
      dispose: 1,
    });
    onFrame(frame + 1);
    await turn(signal);
  }
  encoder.finish();
  return encoder.bytes();
}

/** Every so many-th dot is asked for its colour: neighbours are alike. */
const SAMPLED = 7;

/**
 * At most 255 colours for these pictures; the table is filled up, since the last place has a
 * meaning of its own.
 */
function paletteOf(pictures: readonly Uint32Array[]): Palette {
  const dots = pictures.flatMap((picture) =>
    Array.from(picture.filter((_, at) => at % SAMPLED === 0)),
  );
  const colours = quantize(new Uint8Array(Uint32Array.from(dots).buffer), UNCHANGED);
  return [...colours, ...Array.from({ length: UNCHANGED + 1 - colours.length }, () => [0, 0, 0])];
}

/** The palette's colour next to a dot's; each colour is looked for once. */
function nearestIn(palette: Palette): (dot: number) => number {
  const known = new Map<number, number>();
  return (dot) => {
    const found = known.get(dot);
    if (found !== undefined) return found;
    let best = 0;
    let least = Infinity;
    palette.slice(0, UNCHANGED).forEach(([red = 0, green = 0, blue = 0], index) => {
      const away =
        (red - (dot & 255)) ** 2 +
        (green - ((dot >>> 8) & 255)) ** 2 +
        (blue - ((dot >>> 16) & 255)) ** 2;
      if (away < least) [best, least] = [index, away];
    });
    known.set(dot, best);
    return best;
  };
}
