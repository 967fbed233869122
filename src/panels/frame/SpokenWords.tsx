// What a screen reader says when the viewer selects a wake-up: its latency, what most of it was,
// and the other side's; and that what the viewer asked for is not there. The only region of the
// page that speaks of the picture; the playhead has none.

import { useMemo, type ReactNode } from "react";
import { causeWords } from "../../charts/cause-rect.tsx";
import { SPENT_WORDS } from "../../charts/spent-words.ts";
import { plainText } from "../../engine/plain.ts";
import { speakNs, threeFigures } from "../../lib/format.ts";
import { spentIn, spentSums } from "../../model/tasks/spent.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { selectedSample, selectedWake } from "../../state/select/selection.ts";
import { stripLetter } from "../../state/compare/strips.ts";
import { otherSide } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import { usePage, useSelect } from "../page/page.ts";
import { markedOn, mostCause } from "../strips/marked-on.ts";

export default function SpokenWords(): ReactNode {
  const { store } = usePage();
  const selection = useSelect((state) => state.selection);
  const side = useSelect((state) => state.selectedOn);
  const picked = useSelect((state) => state.picked);
  // A step of the story has its caption, which is spoken.
  const byStep = useSelect(
    (state) => state.picked === undefined && state.step.selected === state.selection,
  );
  const words = useMemo(
    () =>
      byStep
        ? ""
        : selection === undefined
          ? pickedWords(store.getState())
          : wordsOf(store.getState()),
    // A selection is spoken once: a run that grows behind it is not spoken again.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the store is read once
    [selection, picked, side, byStep],
  );
  const reply = useSelect((state) => state.reply);
  return (
    <>
      <p className="visually-hidden" role="status" aria-live="polite" data-testid="said">
        {words}
      </p>
      <p className="visually-hidden" role="status" aria-live="polite" data-testid="replied">
        {reply}
      </p>
    </>
  );
}

function wordsOf(state: State): string {
  const side = state.selectedOn;
  const wake = selectedWake(state, side);
  if (wake === undefined) return sampleWords(state);
  const other = selectedWake(state, otherSide(side));
  const there =
    other === undefined ? "" : ` On ${otherSide(side).toUpperCase()}: ${said(other.latencyNs)}.`;
  return plainText(
    `${wake.task} wake-up ${wake.nth} on ${side.toUpperCase()}: ${said(wake.latencyNs)} late, on CPU ${wake.cpu}. ${mostOf(state.sides[side].shown, wake)}${there}${onStrips(state)}`,
  );
}

function sampleWords(state: State): string {
  const side = state.selectedOn;
  const sample = selectedSample(state, side);
  const run = state.sides[side].shown;
  if (sample === undefined || run === undefined) return "";
  const { task, taskId, label, nth, fromNs, ns } = sample;
  const [most] = spentSums(spentIn(run.trace, taskId, fromNs, fromNs + ns));
  const other = selectedSample(state, otherSide(side));
  const there =
    other === undefined ? "" : ` On ${otherSide(side).toUpperCase()}: ${said(other.ns)}.`;
  const spent =
    most === undefined ? "" : ` Most of it: ${SPENT_WORDS[most.what]}, ${said(most.ns)}.`;
  return plainText(
    `${task} ${label} ${nth} on ${side.toUpperCase()}: ${said(ns)}.${spent}${there}${onStrips(state)}`,
  );
}

function mostOf(run: Pick<Run, "trace"> | undefined, wake: WakeRecord): string {
  const most = run && mostCause(run.trace, wake);
  return most === undefined ? "" : `Most of it: ${causeWords(most.cause)}, ${said(most.ns)}.`;
}

/** With the digits that the captions and the panels show. */
function said(ns: number): string {
  return threeFigures(ns, speakNs);
}

/** What C and D have of it. */
function onStrips(state: State): string {
  return state.strips
    .flatMap((strip, index) => {
      const wake = markedOn(state, strip);
      return wake === undefined
        ? []
        : [` On ${stripLetter(index).toUpperCase()}: ${said(wake.latencyNs)}.`];
    })
    .join("");
}

/** Selected on a strip, and on no side. */
function pickedWords(state: State): string {
  const index = state.strips.findIndex(({ variant }) => variant === state.picked?.variant);
  const strip = state.strips[index];
  const wake = strip && markedOn(state, strip);
  if (wake === undefined) return "";
  const where = `on ${stripLetter(index).toUpperCase()}: ${said(wake.latencyNs)} late, on CPU ${wake.cpu}`;
  return plainText(
    `${wake.task} wake-up ${wake.nth} ${where}. ${mostOf(strip?.run, wake)} A and B have no such wake-up.`,
  );
}
