// SVG: lanes as rectangles and words as words.

import { svgText, vectorOf } from "../../../timeline/picture/picture.ts";
import { imagesNote } from "./images-note.ts";
import type { PictureWriter } from "./writer.ts";

export const svg: PictureWriter = ({ picture, ratio, about }) => {
  const vector = vectorOf(picture, ratio, about);
  return Promise.resolve({ content: svgText(vector), note: imagesNote(vector.images) });
};
