// What the kernel does at the playhead, on the CPU in question: the rule behind each mark there and
// behind the state.

import type { ReactNode } from "react";
import { formatNs } from "../../lib/format.ts";
import { trackInQuestion } from "../../state/select/selection.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import type { Track } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useSelect } from "../page/page.ts";
import { rulesAt } from "./rules-at.ts";
import { RuleEntry, useKernel } from "./RuleLink.tsx";

/** A click on a mark sets the playhead beside it by as much of the view as this. */
const REACH = 1 / 200;

/**
 * The CPU of the event that the viewer stepped to, while the playhead is at that event; else the
 * CPU in question.
 */
function trackHere(state: State): Track {
  return (state.eventNs === state.playheadNs ? state.eventOn : undefined) ?? trackInQuestion(state);
}

export default function RulesAtPlayhead(): ReactNode {
  const side = useSelect((state) => trackHere(state).side);
  const cpu = useSelect((state) => trackHere(state).cpu);
  const trace = useSelect((state) => state.sides[side].shown?.trace);
  useSelect((state) => state.sides[side].shown?.version);
  // The panel does not change while the run plays: a link that changes cannot be read.
  const ns = useSelect(({ playback, playheadNs }) => (playback.playing ? undefined : playheadNs));
  const viewNs = useSelect((state) => {
    const { fromNs, toNs } = shownViewport(state);
    return toNs - fromNs;
  });
  const kernel = useKernel(side);
  if (trace === undefined || kernel === undefined) return undefined;
  const rules = ns === undefined ? [] : rulesAt(trace, cpu, ns, viewNs * REACH);
  return (
    <section
      className="rules-here"
      aria-label="The kernel function behind it"
      data-testid="rules-here"
    >
      <h2>The kernel function behind it</h2>
      <p className="muted">
        <SideBadge side={side} /> CPU {cpu}
        {ns === undefined ? ": stop to see what happens here." : `, around ${formatNs(ns, 5)}.`}
        {ns !== undefined && (
          <span className="not-printed"> Click a mark or a stretch to ask for another.</span>
        )}
      </p>
      <ul className="rules">
        {rules.map((rule) => (
          <li key={rule.says}>
            <RuleEntry rule={rule} kernel={kernel} />
          </li>
        ))}
      </ul>
    </section>
  );
}
