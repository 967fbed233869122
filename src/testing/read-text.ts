// For tests: the reader of pasted texts without a worker, and what the scenario crate makes of what
// it opens.

import { readFileSync } from "node:fs";
import type { Handover } from "../engine/gen/types.ts";
import type { ReadObject, TextForm } from "../engine/paste-object.ts";
import { PasteDesk } from "../engine/paste-desk.ts";
import { readerOf, type PasteReader } from "../engine/paste.ts";
import { forms, initSync, Pasted } from "../engine/wasm/paste.js";
import { prepare } from "../engine/wasm/reader.js";
import { OWN_SLUG } from "../scenario/viewer-scenario.ts";

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

/** The scenario of a text as the engine takes it. Throws what the reader of scenarios refuses. */
export function preparedText(text: string): Handover {
  const { scenario_text: scenario } = readText(text);
  if (scenario === null) throw new Error(`no scenario: ${text}`);
  return JSON.parse(prepare(OWN_SLUG, scenario, "[]", false)) as Handover;
}
