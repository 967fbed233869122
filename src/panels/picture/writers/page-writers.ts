// The writers of the page by format. The names come from the registry in Rust: a format that it
// lists and that has no file here does not compile.

import type { FilmFormat, PictureFormat } from "../../../engine/gen/formats.ts";
import { gif } from "./gif-writer.ts";
import { pdf } from "./pdf-writer.ts";
import { png } from "./png-writer.ts";
import { svg } from "./svg-writer.ts";
import { webm } from "./webm-writer.ts";
import type { FilmWriter, PictureWriter } from "./writer.ts";

export const PICTURE_WRITERS: Readonly<Record<PictureFormat, PictureWriter>> = { svg, pdf, png };
export const FILM_WRITERS: Readonly<Record<FilmFormat, FilmWriter>> = { webm, gif };
