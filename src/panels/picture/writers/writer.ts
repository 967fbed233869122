// What a writer of the page is: one file of this folder for each format, and a row in
// page-writers.ts.

import type { Frames, PictureOf } from "../../../timeline/picture/picture.ts";

/** What a person has chosen to save. */
export interface Chosen {
  readonly picture: PictureOf;
  readonly ratio: number;
  /** Where the picture comes from, whole. */
  readonly about: string;
  /** The name of the file, without its ending. */
  readonly name: string;
}

/** The bytes of a file. */
interface Written {
  readonly content: BlobPart;
  /** What a person does not expect of the file, in a sentence. */
  readonly note?: string | undefined;
}

/** Makes a picture of what is in view at one instant. */
export type PictureWriter = (chosen: Chosen) => Promise<Written>;

/** Who watches a film being made, and may stop it. */
interface Watched {
  readonly signal: AbortSignal;
  readonly onFrame: (done: number) => void;
}

/** Makes films of the playhead as it crosses the view. */
export interface FilmWriter {
  readonly framesPerSecond: number;
  /** The longest film, s; undefined: as long as it is asked for. */
  readonly longestS?: number;
  /** What is drawn, where the format does not take every size. */
  readonly fitted: (chosen: Chosen) => Chosen;
  /** Whether this browser can do it. */
  readonly isPossible: () => boolean;
  readonly write: (film: Frames, watched: Watched) => Promise<BlobPart>;
}
