// WebM, which the browser encodes.

import { WEBM_FPS } from "../../../timeline/picture/picture.ts";
import type { FilmWriter } from "./writer.ts";

export const webm: FilmWriter = {
  framesPerSecond: WEBM_FPS,
  fitted: (chosen) => chosen,
  isPossible: () => typeof VideoEncoder !== "undefined",
  write: async (film, watched) => {
    const { webmOf } = await import("../../../timeline/picture/webm.ts");
    return webmOf(film, watched);
  },
};
