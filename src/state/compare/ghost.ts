// The run that a side is compared with on its own lanes: the finished run which the side showed
// before, or the other side's. Off until asked for.
import { plainText } from "../../engine/plain.ts";
import type { TraceStore } from "../../model/index.ts";
import { sameValue } from "../../scenario/knob-values.ts";
import { settingWords } from "../../scenario/path-words.ts";
import { sameRequest } from "../select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { State } from "../shape/state.ts";
import type { Run, SideState } from "../shape/run.ts";
import type { Previous } from "../shape/run.ts";
import type { GhostMode } from "../shape/state.ts";

/**
 * The picture of a previous run with more records is not kept: two sides then hold 160 MB more at
 * most.
 */
export const GHOST_RECORDS_MAX = 2_000_000;

/**
 * What a side remembers when `next` takes the place of what is shown. A run that was not finished,
 * or is the same again, is no run before.
 */
export function previousAfter({ shown, previous }: SideState, next: Run): Previous | undefined {
  if (
    shown?.report === undefined ||
    shown.id === next.id ||
    sameRequest(shown.request, next.request)
  )
    return previous;
  const { request, meta, report, trace } = shown;
  return { request, meta, report, trace: report.records <= GHOST_RECORDS_MAX ? trace : undefined };
}

/**
 * The page keeps four runs at most: A, B, and two strips or two previous ones. Beside strips only
 * the figures of previous runs stay. Asked of every state, since strips come in many ways: by a
 * press, by undo, by going back to another address.
 */
export function withinMemory(state: State): State {
  const { a, b } = state.sides;
  if (state.strips.length === 0 || (a.previous?.trace ?? b.previous?.trace) === undefined)
    return state;
  return { ...state, sides: { a: lean(a), b: lean(b) } };
}

function lean(side: SideState): SideState {
  return side.previous === undefined
    ? side
    : { ...side, previous: { ...side.previous, trace: undefined } };
}

export interface Ghost {
  readonly trace: TraceStore;
  readonly version: number;
  /** What it is of: "before: RT_PUSH_IPI off". */
  readonly words: string;
}

/** The run that lies under a side's lanes. `nameOfA`: the label of side A. */
export function ghostOf(
  sides: State["sides"],
  mode: GhostMode,
  side: Side,
  nameOfA: string,
): Ghost | undefined {
  if (mode === "off") return undefined;
  const { shown, previous } = sides[side];
  if (mode === "other") {
    const a = sides.a.shown;
    return side === "a" || a === undefined
      ? undefined
      : { trace: a.trace, version: a.version, words: `over A: ${nameOfA}` };
  }
  if (previous?.trace === undefined || shown === undefined) return undefined;
  return {
    trace: previous.trace,
    version: previous.trace.version,
    words: `before: ${beforeWords(previous, shown)}`,
  };
}

/** More knobs than these are counted, not named. */
const NAMED = 2;

/** What was different in the run before: "RT_PUSH_IPI off". */
export function beforeWords(
  before: Pick<Previous, "meta" | "request">,
  now: Pick<Run, "meta" | "request">,
): string {
  const values = new Map(now.meta.knobs.map(({ path, value }) => [path, value]));
  const other = before.meta.knobs.filter(({ path, value }) => !sameValue(values.get(path), value));
  if (other.length === 0)
    return before.request.text === now.request.text ? "other changes in mid-run" : "another text";
  const named = other.slice(0, NAMED).map(({ path, value }) => settingWords(path, value));
  const more = other.length > NAMED ? ` and ${other.length - NAMED} more` : "";
  return plainText(`${named.join(", ").slice(0, 80)}${more}`);
}
