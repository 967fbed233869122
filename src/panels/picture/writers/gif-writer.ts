// GIF: fewer and smaller frames, for every browser.

import { GIF_FPS } from "../../../timeline/picture/picture.ts";
import type { Chosen, FilmWriter } from "./writer.ts";

/** A GIF has no more, s. */
export const GIF_MAX_S = 8;

/** A wider GIF is larger than what people send each other, CSS px and dots. */
const GIF_MAX = { width: 1280, height: 960, ratio: 1 };

/** A picture with few enough dots for a GIF. */
function forGif({ picture, ratio, ...rest }: Chosen): Chosen {
  if (picture.width * ratio <= GIF_MAX.width) return { ...rest, picture, ratio };
  const fits = picture.width <= GIF_MAX.width;
  const { width, height } = GIF_MAX;
  return {
    ...rest,
    picture: fits ? picture : { ...picture, width, height, lanesPx: undefined },
    ratio: GIF_MAX.ratio,
  };
}

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
