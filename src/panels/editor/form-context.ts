// What every part of the form needs: the text as a tree, the way to change it, and what the reader
// refuses.

import { createContext, useContext, type PointerEvent } from "react";
import type { Change, Doc, Path } from "./edits.ts";

export interface FormPage {
  readonly doc: Doc;
  readonly change: (changes: readonly Change[]) => void;
  /** The place of the reader's error, as `pathKey`, and its words. */
  readonly error: { readonly at: string; readonly words: string } | undefined;
  /** A task is dragged by its row. */
  readonly drag: (name: string, event: PointerEvent<HTMLElement>) => void;
}

export const FormContext = createContext<FormPage | undefined>(undefined);

export function useForm(): FormPage {
  const page = useContext(FormContext);
  if (page === undefined) throw new Error("a field stands outside the form");
  return page;
}

export function pathKey(path: Path): string {
  return path.join(".");
}
