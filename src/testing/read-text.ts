// For tests: the reader of pasted texts without a worker.

import { readFileSync } from "node:fs";
import type { ReadObject, TextForm } from "../engine/paste-object.ts";
import { PasteDesk } from "../engine/paste-desk.ts";
import { readerOf, type PasteReader } from "../engine/paste.ts";
import { forms, initSync, Pasted } from "../engine/wasm/paste.js";

/** Loads the built module; call once before the first text. */
export function loadPasteReader(): void {
  initSync({ module: readFileSync(new URL("../engine/wasm/paste_bg.wasm", import.meta.url)) });
}

/** The forms of text that are read. */
export function textForms(): readonly TextForm[] {
  return JSON.parse(forms()) as readonly TextForm[];
}

/** What a text says, without runs. */
export function readText(text: string): ReadObject {
  const pasted = new Pasted(text);
  const read = JSON.parse(pasted.read()) as ReadObject;
  pasted.free();
  return read;
}

/** The page's reader, without a worker. */
export function pasteReader(): PasteReader {
  const desk = new PasteDesk();
  return readerOf(textForms(), async (message) => Promise.resolve(desk.answer(message)));
}
