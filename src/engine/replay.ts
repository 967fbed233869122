// The command that repeats a run natively when the engine died before it could say so itself.

import type { KnobValue } from "./gen/types.ts";
import type { Change, RunRequest } from "./protocol.ts";

/**
 * For a POSIX shell. A scenario without a shipped slug is named as the file a person would save.
 */
export function replayCommand(request: RunRequest): string {
  const scenario = request.slug === "" ? "scenario.json" : request.slug;
  const sets = request.set.map(([path, value]) => `--set ${quoted(`${path}=${textOf(value)}`)}`);
  const live = (request.changes ?? []).map((change) => `--live ${quoted(liveWord(change))}`);
  return ["schedscope run", quoted(scenario), ...sets, ...live].join(" ");
}

/** Instants of changes are whole ns. */
function liveWord([atNs, path, value]: Change): string {
  return `${String(Math.round(atNs))}ns=${path}=${textOf(value)}`;
}

/** A value as the command line has it. */
export function textOf(value: KnobValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(word: string): string {
  return /^[\w./=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
