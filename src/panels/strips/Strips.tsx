// The store's strips below A and B.

import type { ReactNode } from "react";
import { headlineValue, headlineWords } from "../../state/figures/headline.ts";
import { isPending, isShort, stripLetter, type Strip } from "../../state/compare/strips.ts";
import { domainNs, shownViewport } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { formatNs } from "../../lib/format.ts";
import { plainText } from "../../engine/plain.ts";
import { StripRow, type StripFigure } from "../../stage/strips/StripRow.tsx";
import type { Place } from "../../timeline/index.ts";
import { figureText } from "../figure.ts";
import { useDispatch, useSelect } from "../page.ts";
import { errorText } from "../SideStatus.tsx";

/** As many figures as fit a line. */
const FIGURES_MAX = 3;

export default function Strips({ place }: { readonly place: Place }): ReactNode {
  const dispatch = useDispatch();
  const state = useSelect((each) => each);
  return (
    <div className="vstrips" data-testid="strips">
      {state.strips.map((strip, index) => {
        const { run } = strip;
        return (
          <StripRow
            key={`${String(index)} ${strip.variant}`}
            place={place}
            letter={stripLetter(index)}
            label={plainText(strip.variant)}
            open={strip.open}
            run={run}
            status={statusWords(state, strip)}
            stale={isPending(state, strip) || strip.status.kind === "computing" || isShort(state, strip)}
            figures={figuresOf(state, strip)}
            viewport={shownViewport(state)}
            domainNs={domainNs(state)}
            playheadNs={state.playheadNs}
            playing={state.playback.playing}
            drag={state.drag}
            onViewport={(viewport, phase) => dispatch({ type: "viewport_set", viewport, settled: phase === "end" })}
            onPlayhead={(ns) => dispatch({ type: "playhead_set", ns })}
            onToggle={() => dispatch({ type: "strip_toggled", index })}
            onPromote={() => dispatch({ type: "variant_taken", variant: strip.variant, side: "b", strip: index })}
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
  return headlineWords(entry.headline)
    .slice(0, FIGURES_MAX)
    .flatMap((words) => {
      const value = headlineValue(report, words);
      return value === undefined
        ? []
        : [{ path: words.path, value, text: figureText(value, words.unit), label: words.label, of: words.of }];
    });
}

function statusWords(state: State, strip: Strip): string {
  const { status, run } = strip;
  if (isPending(state, strip)) return "waits for A and B";
  switch (status.kind) {
    case "waiting":
    case "cancelled":
      return "";
    case "computing":
      return `computing ${String(Math.floor(status.shareDone / 100))} %`;
    case "finished":
    case "limit":
      return run !== undefined && isShort(state, strip) ? `only to ${formatNs(run.simulatedNs, 3)}: not to be compared` : "";
    case "scenario_error":
      return errorText(status.error);
    case "fault":
      return plainText(status.message);
  }
}
