// The histories that were written to, each behind the one it was made from: from when on it
// differs, by what, and what it came to. Any can be put on either side.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { formatNs, instantText } from "../../lib/format.ts";
import { BRANCHES_MAX, without } from "../../state/branches/branches.ts";
import { type Branch } from "../../state/shape/branch.ts";
import { inOrder, shownOn, sidesOf } from "../../state/branches/show.ts";
import { headlineWords } from "../../state/figures/headline.ts";
import type { KnobSets } from "../../scenario/knob-sets.ts";
import { settingWords } from "../../scenario/path-words.ts";
import { sideName } from "../../scenario/variants.ts";
import { SIDES } from "../../scenario/sides.ts";
import { figureText } from "../../state/figures/figure.ts";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, useSelect } from "../page/page.ts";

/** Figures in a line; the score has them all. */
const FIGURES = 2;

export function Branches(): ReactNode {
  const branches = useSelect((state) => state.branches);
  const text = useSelect((state) => state.entry.text);
  const listed = inOrder(branches, text);
  if (listed.length === 0) return undefined;
  return (
    <section className="branches" aria-label="Branches" data-testid="branches">
      <h3>Branches</h3>
      <ul>
        {listed.map(({ branch, depth }) => (
          <li
            key={branch.id}
            className={`branch branch-depth-${Math.min(depth, 3)}`}
            data-testid={`branch-${branch.id}`}
          >
            <Line
              branch={branch}
              parent={listed.find((other) => other.branch.id === branch.parent)?.branch}
            />
          </li>
        ))}
      </ul>
      {branches.list.length === BRANCHES_MAX && (
        <p className="muted" role="status" data-testid="branches-bound">
          {branches.goneId === undefined ? "" : `Branch ${branches.goneId} was removed. `}The page
          keeps {BRANCHES_MAX} branches: a new one replaces the branch that was last on screen
          longest ago.
        </p>
      )}
    </section>
  );
}

function Line({
  branch,
  parent,
}: {
  readonly branch: Branch;
  readonly parent: Branch | undefined;
}): ReactNode {
  const dispatch = useDispatch();
  const branches = useSelect((state) => state.branches);
  const entry = useSelect((state) => state.entry);
  const knobs = useSelect((state) => state.knobs);
  const shown = sidesOf(entry, knobs, branch);
  const name = `Branch ${branch.id}`;
  return (
    <>
      <span className="branch-words">
        <strong>{name}</strong>: {plainText(variantWords(entry, knobs, branch))};{" "}
        {origin(branch, parent)}
      </span>
      <span className="branch-buttons">
        {SIDES.map((side) => (
          <button
            key={side}
            type="button"
            className="button tiny"
            aria-pressed={shown.includes(side)}
            aria-label={`${name} on ${side.toUpperCase()}`}
            data-testid={`branch-${branch.id}-${side}`}
            onClick={() => {
              if (!shown.includes(side))
                dispatch({ type: "branch_shown", knobs: shownOn(entry, knobs, side, branch) });
            }}
          >
            {side.toUpperCase()}
          </button>
        ))}
        <button
          type="button"
          className="button tiny"
          aria-label={`Remove ${name}`}
          data-testid={`branch-${branch.id}-remove`}
          onClick={() =>
            dispatch({ type: "branches_changed", branches: without(branches, branch.id) })
          }
        >
          <Icon name="close" />
        </button>
      </span>
      <ul className="branch-writes">
        {branch.changes.map(([atNs, path, value]) => (
          <li key={`${atNs} ${path}`}>
            {plainText(`${settingWords(path, value)} at ${instantText(atNs)}`)}
          </li>
        ))}
      </ul>
      <Figures branch={branch} entry={entry} />
    </>
  );
}

/** The scenario's variant that a branch runs, or its difference from A. */
function variantWords(entry: ScenarioEntry, knobs: KnobSets, branch: Branch): string {
  const sets = shownOn(entry, knobs, "a", branch);
  return sideName(entry, sets, "a", { whole: true });
}

function origin({ changes, fromNs }: Branch, parent: Branch | undefined): string {
  if (parent !== undefined && fromNs !== undefined)
    return `like branch ${parent.id} until ${instantText(fromNs)}`;
  return changes.length === 0 ? "nothing written" : "from its start";
}

function Figures({
  branch,
  entry,
}: {
  readonly branch: Branch;
  readonly entry: ScenarioEntry;
}): ReactNode {
  const { figures, onlyToNs, id } = branch;
  const known = headlineWords(entry.headline, entry.labels).flatMap((words, index) => {
    const figure = figures[index];
    return figure === undefined ? [] : [`${words.label}: ${figureText(figure, words.unit)}`];
  });
  const short =
    onlyToNs === undefined ? [] : [`only to ${formatNs(onlyToNs, 3)}: not to be compared`];
  const said = [...known.slice(0, FIGURES), ...short];
  return said.length === 0 ? undefined : (
    <p className="muted" data-testid={`branch-${id}-figures`} data-whole={onlyToNs === undefined}>
      {said.join(" · ")}
    </p>
  );
}
