// Makes files by the writers of the registry and hands them to the browser.

import { FORMATS, type FilmFormat, type PictureFormat } from "../../engine/gen/formats.ts";
import { counted } from "../../lib/count.ts";
import { download } from "../../lib/download.ts";
import { Film } from "../../timeline/picture/picture.ts";
import type { State } from "../../state/shape/state.ts";
import { instantsOf } from "./film-plan.ts";
import { savedWords, type Work } from "../widgets/use-saving.ts";
import { FILM_WRITERS, PICTURE_WRITERS } from "./writers/page-writers.ts";
import type { Chosen } from "./writers/writer.ts";

interface FilmPlan {
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

export async function saveFilm(
  format: FilmFormat,
  chosen: Chosen,
  { state, seconds }: FilmPlan,
  { signal, onProgress }: Work,
): Promise<string> {
  const { framesPerSecond, longestS = Infinity, fitted, write } = FILM_WRITERS[format];
  const { extension, mediaType } = FORMATS[format];
  const { picture, ratio, name } = fitted(chosen);
  const length = Math.min(seconds, longestS);
  const frames = Math.floor(length * framesPerSecond);
  const onFrame = (done: number): void =>
    onProgress({ words: `${done} of ${counted(frames, "frame")}`, done, of: frames });
  onFrame(0);
  const film = new Film(picture, ratio, instantsOf(state, frames));
  const file = `${name}.${extension}`;
  download(file, await write(film, { signal, onFrame }), mediaType);
  return savedWords(file, `${counted(frames, "frame")}, ${length} s.`);
}
