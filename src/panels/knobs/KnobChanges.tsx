// What happened to a knob by itself or on the way: what was written to the running kernels, and
// what the page moved. Fetched when it is first so.

import type { ReactNode } from "react";
import type { Knob } from "../../engine/gen/types.ts";
import { instantText } from "../../lib/format.ts";
import { saidValue, VERSION } from "../../scenario/knob-values.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { stepInHistory } from "../history/step-in-history.ts";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { movedKnobs, movedSentence, movedSpoken, type MovedKnob } from "./moved-words.ts";

export default function KnobChanges({ knob }: { readonly knob: Knob }): ReactNode {
  return (
    <>
      <LiveChanges knob={knob} />
      <MovedAside knob={knob} />
      {knob.path === VERSION && <MovedByVersion />}
    </>
  );
}

/** What was written to the running kernels, each with its way back. */
function LiveChanges({ knob }: { readonly knob: Knob }): ReactNode {
  const dispatch = useDispatch();
  const live = useSelect((state) => state.knobs.live);
  const own = live.filter((change) => change.path === knob.path);
  if (own.length === 0) return undefined;
  return (
    <ul className="knob-live" data-testid={`knob-${knob.path}-live`}>
      {own.map((change) => (
        <li key={`${change.where} ${change.atNs}`}>
          {change.where === "both" ? "" : <SideBadge side={change.where} />}{" "}
          {saidValue(change.path, change.value)} from {instantText(change.atNs)} on
          <button
            type="button"
            className="button tiny"
            aria-label={`Take back ${saidValue(change.path, change.value)} from ${instantText(change.atNs)} on`}
            onClick={() => dispatch({ type: "knob_live_dropped", change })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Said where the page turned a knob by itself. */
function MovedAside({ knob }: { readonly knob: Knob }): ReactNode {
  const page = usePage();
  const moved = useSelect((state) => state.moved);
  const here = moved.filter((each) => each.path === knob.path);
  if (here.length === 0) return undefined;
  return (
    <div className="knob-moved" role="status" data-testid={`knob-${knob.path}-moved`}>
      {here.map(({ where, from, to, why }) => (
        <span key={where}>
          {where === "both" ? "" : `Side ${where.toUpperCase()}: `}
          {from === undefined ? "moved" : `moved from ${from}`} to {to}: {why}
        </span>
      ))}
      <button type="button" className="button tiny" onClick={() => stepInHistory(page, "undone")}>
        Undo
      </button>
    </div>
  );
}

/**
 * Shown at the version picker, where the viewer looks after choosing a version: the knobs that had
 * to move may be hidden behind “more knobs”.
 */
function MovedByVersion(): ReactNode {
  const { catalogue } = usePage();
  // Followed by its words: a run that grows changes none of them.
  const followed = useSelect((state) => JSON.stringify(movedKnobs(state, catalogue.knobs)));
  const all = JSON.parse(followed) as readonly MovedKnob[];
  return (
    <>
      <span className="visually-hidden" role="status" data-testid="knob-moved-said">
        {movedSpoken(all)}
      </span>
      {all.length > 0 && <MovedWithIt all={all} />}
    </>
  );
}

function MovedWithIt({ all }: { readonly all: readonly MovedKnob[] }): ReactNode {
  const { words, whole } = movedSentence(all);
  if (whole) {
    return (
      <span className="knob-moved" data-testid="knob-moved-all">
        {words}
      </span>
    );
  }
  return (
    <details className="knob-moved" data-testid="knob-moved-all">
      <summary>{words}</summary>
      <ul data-testid="knob-moved-list">
        {all.map(({ key, name, change }) => (
          <li key={key}>
            {name}: {change}
          </li>
        ))}
      </ul>
    </details>
  );
}
