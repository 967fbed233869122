// The messages between the page and the worker that reads pasted texts. Each question has one
// answer, in the order of the questions.

import type { AnswerObject, ReadObject, TextForm } from "./paste-object.ts";

/** Longest text that the page takes, characters; the module reads a MiB. */
export const TEXT_MAX = 262_144;
/** Most lines of it, as the module has them. */
export const LINES_MAX = 20_000;

/** What is asked more of a fit, or narrows it; microseconds. */
export interface Wish {
  /** The longest that a burst may take. */
  readonly boundUs?: number | undefined;
  /** What one takes without a limit, where that was measured. */
  readonly burstUs?: number | undefined;
}

export type ToPasteWorker =
  | { readonly type: "init"; readonly module: WebAssembly.Module }
  | { readonly type: "read"; readonly text: string; readonly wish: Wish }
  /** Which programs can have counted what the text says: up to a second or two. */
  | { readonly type: "fit" }
  /** The metrics of the run that was needed last, as JSON. */
  | { readonly type: "hear"; readonly metrics: string }
  /** The fit is over; the questions begin. */
  | { readonly type: "ask" };

/** What is known of the text. */
export interface Known {
  readonly type: "known";
  readonly read: ReadObject;
  readonly answer: AnswerObject | undefined;
  /** The text of the scenario whose run is needed next; none: the fit or the questions are over. */
  readonly next: string | undefined;
}

export type FromPasteWorker =
  | { readonly type: "forms"; readonly forms: readonly TextForm[] }
  | Known
  /** A sentence: why the text is not read, or has no answer. */
  | { readonly type: "refused"; readonly why: string };
