// What is being written, kept in the browser for each scenario with its history of changes, so that
// neither closing nor reloading loses a word. What was kept of another text of the same scenario
// stays one undo away.

import { historyField } from "@codemirror/commands";
import { EditorState, type EditorStateConfig } from "@codemirror/state";
import { keepDraft, keepText } from "../../effects/storage/stored-texts.ts";
import { readDraft } from "../../scenario/viewer-scenario.ts";

const FIELDS = { history: historyField };

/** Beyond this the history is left out, characters: storage holds a few million. */
const HISTORY_MAX = 500_000;

interface Kept {
  /** The scenario's text when this was written. */
  readonly base: string;
  readonly text: string;
  /** The editor's own form of text, selection and history. */
  readonly state?: unknown;
}

function keyOf(root: string, slug: string): string {
  return `schedscope:${root}:editor:${slug}`;
}

function storage(): Storage {
  return window.localStorage;
}

/** Keeps `state` as what is being made of `base`; what equals it is not kept. */
export function keep(root: string, slug: string, base: string, state: EditorState): void {
  const text = state.doc.toString();
  try {
    if (text !== base) keepDraft(root, storage, text);
    const json = JSON.stringify({
      base,
      text,
      state: state.toJSON(FIELDS) as unknown,
    } satisfies Kept);
    storage().setItem(
      keyOf(root, slug),
      json.length <= HISTORY_MAX ? json : JSON.stringify({ base, text } satisfies Kept),
    );
  } catch {
    // Denied or full: the text stays in the page.
  }
}

export function forget(root: string, slug: string): void {
  try {
    storage().removeItem(keyOf(root, slug));
  } catch {
    // Then nothing was kept either.
  }
}

/**
 * The editor as it was left, or new around `base`. Where `base` has changed since, it is laid over
 * what was kept as one more change.
 */
export function restore(
  root: string,
  slug: string,
  base: string,
  config: EditorStateConfig,
): EditorState {
  const kept = read(root, slug);
  // What is typed here becomes the last own text: one typed elsewhere makes room.
  const draft = readDraft(root, storage);
  if (draft !== base && draft !== kept?.text) keepText(root, storage, draft);
  const fresh = EditorState.create({ ...config, doc: kept?.text ?? base });
  if (kept === undefined) return fresh;
  const state = withHistory(kept, config) ?? fresh;
  if (kept.base === base) return state;
  return state.update({
    changes: { from: 0, to: state.doc.length, insert: base },
    selection: { anchor: 0 },
  }).state;
}

function withHistory({ state }: Kept, config: EditorStateConfig): EditorState | undefined {
  if (state === undefined) return undefined;
  try {
    return EditorState.fromJSON(state, config, FIELDS);
  } catch {
    return undefined;
  }
}

function read(root: string, slug: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(storage().getItem(keyOf(root, slug)) ?? "null");
    const { base, text } = (kept ?? {}) as Partial<Kept>;
    return typeof base === "string" && typeof text === "string" ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}
