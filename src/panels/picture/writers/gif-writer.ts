// GIF: fewer and smaller frames, for every browser.

import { GIF_FPS } from "../../../timeline/picture/index.ts";
import { GIF_MAX_S } from "../film-plan.ts";
import { forGif } from "../what.ts";
import type { FilmWriter } from "./writer.ts";

export const gif: FilmWriter = {
  framesPerSecond: GIF_FPS,
  longestS: GIF_MAX_S,
  fitted: forGif,
  isPossible: () => true,
  write: async (film, watched) => {
    const { gifOf } = await import("../../../timeline/picture/gif.ts");
    return gifOf(film, watched);
  },
};
