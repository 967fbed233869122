// The note of a file of shapes whose lanes are images: more shapes than programs draw in time.

import { counted } from "../../../lib/count.ts";
import { RECTS_MAX } from "../../../timeline/picture/picture.ts";

/** For so many sides that are images; undefined if none is. */
export function imagesNote(images: number): string | undefined {
  return images === 0
    ? undefined
    : `The lanes of ${counted(images, "side")} are an image in it: they hold more than ${RECTS_MAX} rectangles.`;
}
