// PDF: lanes as rectangles and words as words, on one page.

import { vectorOf } from "../../../timeline/picture/picture.ts";
import { imagesNote } from "./images-note.ts";
import type { PictureWriter } from "./writer.ts";

export const pdf: PictureWriter = async ({ picture, ratio, about }) => {
  const vector = vectorOf(picture, ratio, about);
  const { pdfOf } = await import("../../../timeline/picture/pdf.ts");
  const { bytes, missing } = await pdfOf(vector.shapes, vector.page);
  const note = imagesNote(vector.images);
  return missing === ""
    ? { content: bytes, note }
    : {
        content: bytes,
        note: `${note ?? ""} PDF’s own fonts lack ${missing}: “?” stands there.`,
      };
};
