// Why the selected wake-up was late, on both sides: the same task's wake-up due at the same time,
// cause by cause; or where the time of the selected sample went.

import type { ReactNode } from "react";
import { rtlaText, Waterfall } from "../../charts/Waterfall.tsx";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { slackNs } from "../../model/causes/slack.ts";
import { lockNames } from "../../model/causes/culprits.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Selection, WakeRecord, WakeSegment } from "../../model/trace/run-types.ts";
import { selectedWake } from "../../state/select/selection.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { Culprits } from "./Culprits.tsx";
import { Key } from "../widgets/Key.tsx";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import Terms from "../glossary/Terms.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { waterfallTable } from "../numbers/tables.ts";
import { CauseRule } from "../rules/RuleLink.tsx";
import { SampleSeries } from "./SampleList.tsx";
import { SelectedSample } from "./SelectedSample.tsx";
import { lookAt, worstWake } from "../moments/wake-selection.ts";

export default function SelectedWake(): ReactNode {
  const selection = useSelect((state) => state.selection);
  return (
    <section className="selected-wake" aria-label="What is selected" data-testid="selected-wake">
      <header className="panel-head">
        <h2>
          {selection?.kind === "sample" ? "Where did this time go?" : "Why was this wake-up late?"}
        </h2>
        <div className="worst-buttons">
          {SIDES.map((side) => (
            <WorstButton key={side} side={side} />
          ))}
          <span className="muted key-hint">
            next worst <Key>L</Key> back <Key>⇧ L</Key>
          </span>
        </div>
      </header>
      {selection === undefined ? (
        <Nothing />
      ) : selection.kind === "sample" ? (
        <SelectedSample />
      ) : (
        <Selected />
      )}
      <SampleSeries />
    </section>
  );
}

function Nothing(): ReactNode {
  // Known once both runs are done: until then one may still come.
  const none = useSelect(({ sides }) =>
    SIDES.every(
      (side) =>
        sides[side].shown?.report !== undefined && sides[side].shown.trace.wakes.count === 0,
    ),
  );
  return (
    <p className="empty" data-testid="nothing-selected">
      <Terms
        text={
          none
            ? "No wake-up ended in these runs: no task slept and came back. There is nothing to explain here; a longer run may have some."
            : "Nothing selected. Take the worst wake-up, click a bar of the histogram, or click a CPU’s lane."
        }
      />
    </p>
  );
}

function WorstButton({ side }: { readonly side: Side }): ReactNode {
  const { store } = usePage();
  const ready = useSelect((state) => (state.sides[side].shown?.trace.wakes.count ?? 0) > 0);
  return (
    <button
      type="button"
      className="button"
      disabled={!ready}
      data-testid={`worst-${side}`}
      onClick={() => {
        const state = store.getState();
        const wake = worstWake({ ...state, selection: undefined }, side, 1);
        if (wake !== undefined) lookAt(store, side, wake);
      }}
    >
      worst on <SideBadge side={side} />
    </button>
  );
}

function Selected(): ReactNode {
  return (
    <div className="waterfalls">
      {SIDES.map((side) => (
        <SideWaterfall key={side} side={side} />
      ))}
    </div>
  );
}

/**
 * An instant to the ns: three digits of a second would lie off the view of a wake-up that is some
 * µs late.
 */
const INSTANT_DIGITS = 9;

/** Why a side has nothing to show for the selection. */
function missingWords(state: State, side: Side, { task, nth }: Selection): string {
  const named = selectedWake(state, state.selectedOn);
  if (named === undefined || side === state.selectedOn)
    return side === state.selectedOn
      ? `${task} has no finished wake-up number ${nth} in this run.`
      : `Nothing to compare: ${state.selectedOn.toUpperCase()} has no finished wake-up number ${nth} of ${task}.`;
  return `No partner: no wake-up of ${task} is due near ${formatNs(named.dueNs, INSTANT_DIGITS)} in this run.`;
}

/** The remark on a stretch: the timer's slack for the first stretch, the locks for spinning. */
function remarkOf(trace: TraceStore, wake: WakeRecord, parts: readonly WakeSegment[]): ReactNode {
  const slack = parts[0] === wake.segments[0] ? slackNs(trace, wake) : 0;
  const part = slack === parts[0]?.ns ? "all" : threeFigures(slack);
  const locks = lockNames(trace, wake, parts);
  if (slack > 0) return <Terms text={`${part} of it is timer slack`} />;
  return locks === "" ? undefined : `for ${locks}`;
}

function SideWaterfall({ side }: { readonly side: Side }): ReactNode {
  const selection = useSelect((state) => state.selection);
  const run = useSelect((state) => state.sides[side].shown);
  // The other side's growth can bring the wake-up that this one's is the partner of.
  useSelect((state) => state.sides[otherSide(side)].shown);
  const { store } = usePage();
  const dispatch = useDispatch();
  if (selection === undefined || run === undefined) return undefined;
  const wake = selectedWake(store.getState(), side);
  if (wake === undefined) {
    return (
      <p className="empty" data-testid={`waterfall-${side}-missing`}>
        <SideBadge side={side} /> <Terms text={missingWords(store.getState(), side, selection)} />
      </p>
    );
  }
  return (
    <div className="side-waterfall">
      <header className="waterfall-head">
        <SideBadge side={side} />
        <strong data-testid={`waterfall-${side}-name`}>
          {wake.task} wake-up {wake.nth}
        </strong>
        <strong
          className="number"
          data-testid={`waterfall-${side}-latency`}
          data-ns={wake.latencyNs}
          data-due-ns={wake.dueNs}
        >
          {threeFigures(wake.latencyNs)}
        </strong>
        <span className="muted waterfall-place">
          on CPU {wake.cpu}, due at {formatNs(wake.dueNs, INSTANT_DIGITS)}
        </span>
      </header>
      <Culprits side={side} wake={wake} />
      <Waterfall
        wake={wake}
        testId={`waterfall-${side}`}
        remark={(parts) => remarkOf(run.trace, wake, parts)}
        rule={({ cause }) => <CauseRule side={side} cause={cause} />}
        onChoose={({ fromNs }) => dispatch({ type: "playhead_set", ns: fromNs })}
      />
      <footer className="data-foot">
        <CopyButton
          text={rtlaText(wake, slackNs(run.trace, wake))}
          label="Copy as rtla text"
          testId={`copy-rtla-${side}`}
        />
        <TableFiles
          name={`waterfall-${side}`}
          table={() => waterfallTable(wake)}
          testId={`waterfall-${side}`}
        />
      </footer>
    </div>
  );
}
