// A viewer whose pointer or focus is on a knob is likely to turn it: the knob's other value is
// computed meanwhile. With neither on any knob, the reports of what each knob in sight would come
// to are computed. Fetched when the page has come to rest.

import { wantsLessData } from "../../lib/save-data.ts";
import { createEngineClient } from "../../engine/client.ts";
import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import { sameValue } from "../../scenario/knob-values.ts";
import type { Where } from "../../scenario/knob-sets.ts";
import type { Action } from "../../state/shape/actions.ts";
import { startAhead } from "../runs/runs-ahead.ts";
import type { Turns } from "../runs/feeder.ts";
import type { KeptRuns } from "../runs/finished-runs.ts";
import { knobValue } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";

/** A pointer that only passes over a knob is gone by then, ms. */
const DWELL_MS = 60;
/**
 * How many other values of a knob are computed with their rows while the knob has the focus; while
 * only the pointer is on the knob, one value is, and the reports of all are computed.
 */
const VALUES_MAX = 3;

function may(): boolean {
  return (
    document.visibilityState === "visible" && !wantsLessData() && navigator.hardwareConcurrency > 1
  );
}

/** Looks where pointer and focus are, from now on. */
export function keepAhead(
  store: Store,
  knobs: readonly Knob[],
  turns: Turns,
  kept: KeptRuns,
): void {
  // All processors: while the viewer's pointer rests on a knob, the page itself has nothing to do.
  const ahead = startAhead({
    store,
    make: createEngineClient,
    turns,
    kept,
    may,
    workers: navigator.hardwareConcurrency,
  });
  const at: Record<"pointer" | "focus", HTMLElement | undefined> = {
    pointer: undefined,
    focus: undefined,
  };
  let dwell: ReturnType<typeof setTimeout> | undefined;
  const nowhere = (): void =>
    ahead.want((state) => controls().flatMap((each) => choicesOf(state, knobs, each)), 0);
  const look = (what: "pointer" | "focus", target: EventTarget | null): void => {
    const control =
      (target instanceof Element ? target.closest<HTMLElement>("[data-knob]") : undefined) ??
      undefined;
    if (at[what] === control) return;
    at[what] = control;
    clearTimeout(dwell);
    const on = at.pointer ?? at.focus;
    const runs =
      (on === at.focus ? VALUES_MAX : 1) * (on?.dataset["where"] === "both" ? SIDES.length : 1);
    if (on === undefined) nowhere();
    else
      dwell = setTimeout(() => ahead.want((state) => choicesOf(state, knobs, on), runs), DWELL_MS);
  };
  look("pointer", document.querySelector("[data-knob]:hover"));
  look("focus", document.activeElement);
  if (at.pointer === undefined && at.focus === undefined) nowhere();
  document.addEventListener("pointerover", ({ target }) => look("pointer", target));
  document.documentElement.addEventListener("pointerleave", () => look("pointer", null));
  document.addEventListener("focusin", ({ target }) => look("focus", target));
  document.addEventListener("focusout", ({ relatedTarget }) => look("focus", relatedTarget));
}

/** The controls of knobs, in the page's order: the scenario's own first. */
function controls(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-knob]")];
}

/** The other values of a knob, the next in its list first; none of a knob with many. */
function choicesOf(
  state: State,
  knobs: readonly Knob[],
  { dataset }: HTMLElement,
): readonly Action[] {
  const { knob: path = "", where = "both" } = dataset as {
    readonly knob?: string;
    readonly where?: Where;
  };
  const knob = knobs.find((each) => each.path === path);
  const value = knobValue(state, where === "both" ? "a" : where, path) ?? knob?.default;
  const values: readonly KnobValue[] =
    knob?.type === "boolean"
      ? [true, false]
      : knob?.type === "enum"
        ? (knob.choices?.map((each) => each.value) ?? [])
        : [];
  if (values.length > VALUES_MAX + 1) return [];
  const now = values.findIndex((each) => sameValue(each, value));
  const others = [...values.slice(now + 1), ...values.slice(0, Math.max(0, now))];
  return others.map((other) => ({ type: "knob_set", where, path, value: other, settled: true }));
}
