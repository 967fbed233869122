// PNG: dots.

import { blobOf, drawn } from "../../../timeline/picture/picture.ts";
import type { PictureWriter } from "./writer.ts";

export const png: PictureWriter = async ({ picture, ratio }) => ({
  content: await blobOf(drawn(picture, ratio), "image/png"),
});
