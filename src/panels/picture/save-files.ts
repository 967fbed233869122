// Makes files by the writers of the registry and hands them to the browser.

import { FORMATS, type FilmFormat, type PictureFormat } from "../../engine/gen/formats.ts";
import { counted } from "../../lib/count.ts";
import { download } from "../../lib/download.ts";
import { Film, Reel } from "../../timeline/picture/picture.ts";
import type { State } from "../../state/shape/state.ts";
import { instantsOf } from "./film-plan.ts";
import { savedWords, type Work } from "../widgets/use-saving.ts";
import { FILM_WRITERS, PICTURE_WRITERS } from "./writers/page-writers.ts";
import type { Chosen } from "./writers/writer.ts";

/** A film's part: a picture, and where the playhead is in each of its frames. */
export interface FilmPlan {
  readonly chosen: Chosen;
  readonly state: State;
  readonly seconds: number;
}

export async function savePicture(format: PictureFormat, chosen: Chosen): Promise<string> {
  const { extension, mediaType } = FORMATS[format];
  const file = `${chosen.name}.${extension}`;
  const { content, note } = await PICTURE_WRITERS[format](chosen);
  download(file, content, mediaType);
  return savedWords(file, note);
}

/** `plans`: a part each, not empty; `name`: of the file, without its ending. */
export async function saveFilm(
  format: FilmFormat,
  name: string,
  plans: readonly FilmPlan[],
  { signal, onProgress }: Work,
): Promise<string> {
  const { framesPerSecond, longestS = Infinity, fitted, write } = FILM_WRITERS[format];
  const { extension, mediaType } = FORMATS[format];
  const lengths = fittedLengths(plans, longestS);
  const parts = plans.map(({ chosen, state }, nth) => {
    const { picture, ratio } = fitted(chosen);
    const frames = Math.max(1, Math.floor((lengths[nth] ?? 0) * framesPerSecond));
    return { frames, make: () => new Film(picture, ratio, instantsOf(state, frames)) };
  });
  const reel = new Reel(parts);
  const of = reel.frames;
  const onFrame = (done: number): void =>
    onProgress({ words: `${done} of ${counted(of, "frame")}`, done, of });
  onFrame(0);
  const file = `${name}.${extension}`;
  download(file, await write(reel, { signal, onFrame }), mediaType);
  return savedWords(file, `${counted(of, "frame")}, ${Math.round(of / framesPerSecond)} s.`);
}

/** A format with a longest film shortens each part by as much. */
function fittedLengths(plans: readonly FilmPlan[], longestS: number): readonly number[] {
  const all = plans.reduce((sum, { seconds }) => sum + seconds, 0);
  const share = Math.min(1, longestS / all);
  return plans.map(({ seconds }) => seconds * share);
}
