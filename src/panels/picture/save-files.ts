// Makes files by the writers of the registry and hands them to the browser.

import { traceBytes } from "../../engine/trace-writer.ts";
import {
  FORMATS,
  type FilmFormat,
  type PictureFormat,
  type TraceFormat,
} from "../../engine/gen/formats.ts";
import { counted } from "../../lib/count.ts";
import { download } from "../../lib/download.ts";
import { Film } from "../../timeline/picture/picture.ts";
import type { State } from "../../state/shape/state.ts";
import { instantsOf } from "./film-plan.ts";
import { chunksOf, type TraceSpan } from "./trace-span.ts";
import { FILM_WRITERS, PICTURE_WRITERS } from "./writers/page-writers.ts";
import type { Chosen } from "./writers/writer.ts";

/** A saved file in words; `note` says what a person does not expect of it. */
export interface Saved {
  readonly file: string;
  readonly note?: string | undefined;
}

interface FilmPlan {
  readonly state: State;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onFrame: (done: number, frames: number) => void;
}

export async function savePicture(format: PictureFormat, chosen: Chosen): Promise<Saved> {
  const { extension, mediaType } = FORMATS[format];
  const file = `${chosen.name}.${extension}`;
  const { content, note } = await PICTURE_WRITERS[format](chosen);
  download(file, content, mediaType);
  return { file, note };
}

export async function saveFilm(
  format: FilmFormat,
  chosen: Chosen,
  { state, seconds, signal, onFrame }: FilmPlan,
): Promise<Saved> {
  const { framesPerSecond, longestS = Infinity, fitted, write } = FILM_WRITERS[format];
  const { extension, mediaType } = FORMATS[format];
  const { picture, ratio, name } = fitted(chosen);
  const length = Math.min(seconds, longestS);
  const frames = Math.floor(length * framesPerSecond);
  onFrame(0, frames);
  const film = new Film(picture, ratio, instantsOf(state, frames));
  const watched = { signal, onFrame: (done: number) => onFrame(done, frames) };
  const file = `${name}.${extension}`;
  download(file, await write(film, watched), mediaType);
  return { file, note: `${counted(frames, "frame")}, ${length} s.` };
}

/** `name`: of the file, without its side and its ending. */
export async function saveTrace(
  format: TraceFormat,
  span: TraceSpan,
  name: string,
): Promise<Saved> {
  const { extension, mediaType } = FORMATS[format];
  const { run, side, fromNs, toNs } = span;
  const { setup } = run.trace;
  if (setup === undefined) throw new Error("this run has no setup");
  const bytes = await traceBytes({
    format,
    meta: run.meta,
    setup,
    isB: side === "b",
    chunks: chunksOf(run),
    metrics: run.report?.metrics ?? {},
    fromNs,
    toNs,
  });
  const file = `${name}-${side}.${extension}`;
  download(file, new Blob([...bytes]), mediaType);
  return { file };
}
