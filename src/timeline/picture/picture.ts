/**
 * The timeline as files. Not part of the page's first script: fetched when the viewer asks for a
 * picture.
 *
 *   drawn(picture, ratio)               a canvas
 *   vectorOf(picture, ratio, about)     shapes: words are words, lanes are rectangles, for svgText
 * or pdf.ts; the lanes of `images` sides
 *                                       are images, because they hold more rectangles than
 * RECTS_MAX
 *   new Film(picture, ratio, instants)  frames, for webm.ts or gif.ts
 */
import { layoutOf, type PictureOf } from "./layout.ts";
import { drawPicture } from "./draw-picture.ts";
import { Dots, measureWords, newCanvas, Shapes } from "./surfaces.ts";
import type { Shape } from "./shapes.ts";
import type { Page } from "./svg.ts";
import { svgOf } from "./svg.ts";

export { Film, GIF_FPS, Reel, WEBM_FPS, type Frames, type ReelPart } from "./film.ts";
export type { PictureHead, PictureOf } from "./layout.ts";

/** More rectangles than this make a file that editors choke on. */
export const RECTS_MAX = 20_000;

/** The picture on a new canvas, `ratio` dots to a CSS px. */
export function drawn(picture: PictureOf, ratio: number): HTMLCanvasElement {
  const layout = layoutOf(picture, measureWords, ratio);
  const canvas = newCanvas(Math.round(layout.width * ratio), Math.round(layout.height * ratio));
  drawPicture(new Dots(canvas, ratio), layout, picture);
  return canvas;
}

export function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => {
      if (blob === null)
        fail(new Error("This browser could not write the picture: choose a smaller size."));
      else done(blob);
    }, type);
  });
}

export interface VectorPicture {
  readonly shapes: readonly Shape[];
  readonly page: Page;
  /** Sides whose lanes are images. */
  readonly images: number;
}

/** The picture as shapes. `about` is kept in the file, whole. */
export function vectorOf(picture: PictureOf, ratio: number, about: string): VectorPicture {
  const layout = layoutOf(picture, measureWords, ratio);
  const surface = new Shapes(RECTS_MAX);
  drawPicture(surface, layout, picture);
  const { width, height, theme } = layout;
  const page = {
    width,
    height,
    scale: ratio,
    background: theme.background,
    title: picture.title,
    about,
  };
  return { shapes: surface.shapes, page, images: surface.images };
}

export function svgText({ shapes, page }: VectorPicture): string {
  return svgOf(shapes, page);
}
