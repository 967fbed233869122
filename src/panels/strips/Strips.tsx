// The store's strips below A and B.

import { useMemo, type ReactNode } from "react";
import { causeWords } from "../../charts/cause-rect.tsx";
import { headlineValue, headlineWords } from "../../state/figures/headline.ts";
import { selectionOnStrip } from "../../state/compare/strip-selection.ts";
import {
  isPending,
  isShort,
  stripLetter,
  stripName,
  stripVariant,
} from "../../state/compare/strips.ts";
import { type Strip } from "../../state/shape/strip.ts";
import { domainNs, shownViewport } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { plainText } from "../../engine/plain.ts";
import { StripRow } from "../../stage/strips/StripRow.tsx";
import type { StripFigure } from "../../stage/strips/strip-props.ts";
import type { Place } from "../../timeline/index.ts";
import { asideMarks } from "../../scenario/unmentioned-marks.ts";
import { figureText } from "../../state/figures/figure.ts";
import { useDispatch, useSelect } from "../page/page.ts";
import { errorText } from "../widgets/ScenarioRefused.tsx";
import { changeLines } from "../page/timeline-sides.ts";
import { markedOn, mostCause } from "./marked-on.ts";

/** The most figures that fit a line. */
const FIGURES_MAX = 3;
/** A link names a variant at any length. */
const LABEL_MAX = 120;

export default function Strips({ place }: { readonly place: Place }): ReactNode {
  const dispatch = useDispatch();
  const state = useSelect((each) => each);
  const { knobs } = state;
  const changes = useMemo(
    () => changeLines(knobs.live.filter(({ where }) => where === "both")),
    [knobs],
  );
  return (
    <div className="vstrips" data-testid="strips">
      {state.strips.map((strip, index) => {
        const { run } = strip;
        return (
          <StripRow
            key={`${String(index)} ${strip.variant}`}
            place={place}
            letter={stripLetter(index)}
            label={plainText(stripName(state, strip.variant.slice(0, LABEL_MAX), true))}
            open={strip.open}
            run={run}
            changes={changes}
            asides={asideMarks(state.entry)}
            selection={selectionOnStrip(state, strip)}
            selected={selectedWords(state, strip)}
            status={statusWords(state, strip)}
            stale={
              isPending(state, strip) || strip.status.kind === "computing" || isShort(state, strip)
            }
            figures={figuresOf(state, strip)}
            viewport={shownViewport(state)}
            domainNs={domainNs(state)}
            playheadNs={state.playheadNs}
            playing={state.playback.playing}
            drag={state.drag}
            onViewport={(viewport, phase) =>
              dispatch({ type: "viewport_set", viewport, settled: phase === "end" })
            }
            onPlayhead={(ns) => dispatch({ type: "playhead_set", ns })}
            onSelect={(selection) =>
              dispatch(
                selection === undefined
                  ? { type: "selection_cleared" }
                  : { type: "strip_picked", index, selection },
              )
            }
            onToggle={() => dispatch({ type: "strip_toggled", index })}
            onPromote={
              stripVariant(state, strip) &&
              (() =>
                dispatch({
                  type: "variant_taken",
                  variant: strip.variant,
                  side: "b",
                  strip: index,
                }))
            }
            onRemove={() => dispatch({ type: "strip_removed", index })}
          />
        );
      })}
    </div>
  );
}

function figuresOf({ entry }: State, { run }: Strip): readonly StripFigure[] {
  const report = run?.report;
  if (report === undefined) return [];
  return headlineWords(entry.headline, entry.labels)
    .slice(0, FIGURES_MAX)
    .flatMap((words) => {
      const value = headlineValue(report, words);
      return value === undefined
        ? []
        : [
            {
              path: words.path,
              value,
              text: figureText(value, words.unit),
              label: words.label,
              of: words.of,
            },
          ];
    });
}

/**
 * "cyclictest.3 #12 late 41 µs, mostly spinning for a lock 38 µs"; without a selection the words
 * add that A and B have no such wake-up.
 */
function selectedWords(state: State, strip: Strip): string {
  const wake = markedOn(state, strip);
  if (wake === undefined) return "";
  const most = strip.run && mostCause(strip.run.trace, wake);
  const mostly =
    most === undefined ? "" : `, mostly ${causeWords(most.cause)} ${threeFigures(most.ns)}`;
  const lone = state.selection === undefined ? "; A and B have no such wake-up" : "";
  return `${wake.task} #${String(wake.nth)} ${wake.label === undefined ? "late " : ""}${threeFigures(wake.latencyNs)}${mostly}${lone}`;
}

function statusWords(state: State, strip: Strip): string {
  const { status, run } = strip;
  if (stripVariant(state, strip) === undefined) return "this scenario has no such variant";
  if (isPending(state, strip)) return "waits for A and B";
  switch (status.kind) {
    case "waiting":
    case "cancelled":
      return "";
    case "computing":
      return `computing ${String(Math.floor(status.shareDone / 100))} %`;
    case "finished":
    case "limit":
      return run !== undefined && isShort(state, strip)
        ? `only to ${formatNs(run.simulatedNs, 3)}: not to be compared`
        : "";
    case "scenario_error":
      return errorText(status.error);
    case "fault":
      return plainText(status.message);
  }
}
