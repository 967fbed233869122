// The previous run of each side: shown under the lanes and beside the figures when asked for, and
// said.

import type { ReactNode } from "react";
import { beforeWords, GHOST_RECORDS_MAX } from "../../state/compare/ghost.ts";
import { formatCount } from "../../lib/format.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { Key } from "../widgets/Key.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import "./compare.css";

export default function GhostLine(): ReactNode {
  const dispatch = useDispatch();
  const mode = useSelect((state) => state.ghost);
  const any = useSelect((state) => SIDES.some((side) => state.sides[side].previous !== undefined));
  const words = useSelect(ghostWords);
  return (
    <div className="ghost-line">
      {(any || mode === "before") && (
        <button
          type="button"
          className="button tiny"
          aria-pressed={mode === "before"}
          title="The run before the last change, stippled under the lanes, and its figures"
          data-testid="ghost"
          onClick={() => dispatch({ type: "ghost_toggled", mode: "before" })}
        >
          Previous run <Key>G</Key>
        </button>
      )}
      <p className="muted" role="status" data-testid="ghost-words">
        {words}
      </p>
    </div>
  );
}

function ghostWords(state: State): string {
  if (state.ghost === "off") return "";
  if (state.ghost === "other")
    return state.sides.a.shown === undefined || state.sides.b.shown === undefined
      ? ""
      : "Stippled under B: what A does while B is idle.";
  const told = SIDES.flatMap((side) => sideWords(state, side));
  return told.length === 0 ? "No previous run yet: change a knob or a variant." : told.join(" ");
}

function sideWords({ sides }: State, side: Side): readonly string[] {
  const { previous: before, shown } = sides[side];
  if (before === undefined || shown === undefined) return [];
  const words = `${side.toUpperCase()} before: ${beforeWords(before, shown)}.`;
  if (before.trace !== undefined) return [words];
  const why =
    before.report.records > GHOST_RECORDS_MAX
      ? `it had more than ${formatCount(GHOST_RECORDS_MAX)} records`
      : "strips need the room";
  return [`${words} Only its figures are kept: ${why}.`];
}
