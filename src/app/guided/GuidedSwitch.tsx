// The scenario's switch: one press gives B what A has, and the next gives B its own again. Where both
// sides have the same value, the knob itself.

import { lazy, Suspense, type ReactNode } from "react";
import { KnobName } from "../../panels/knobs/KnobNotes.tsx";
import { SideBadge } from "../../panels/widgets/SideBadge.tsx";
import { useDispatch, useKnob, useSelect } from "../../panels/page/page.ts";
import { NO_KNOBS } from "../../scenario/knob-sets.ts";
import { knobName, saidValue, sameValue } from "../../scenario/knob-values.ts";
import { knobValue, resolvedKnob, sideLabel } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Knob, KnobValue } from "../../engine/gen/types.ts";

const Control = lazy(() =>
  import("../../panels/knobs/Knobs.tsx").then(({ Control: control }) => ({ default: control })),
);

export function GuidedSwitch({ path }: { readonly path: string }): ReactNode {
  const knob = useKnob(path);
  const differs = useSelect((state) => {
    const as = { ...state, knobs: NO_KNOBS };
    return !sameValue(knobValue(as, "a", path) ?? "", knobValue(as, "b", path) ?? "");
  });
  if (knob === undefined) return undefined;
  return (
    <div className="guided-switch" data-testid="guided-switch">
      <span className="guided-switch-name">
        <KnobName knob={knob} path={path} />
      </span>
      {differs ? (
        <Toggle knob={knob} />
      ) : (
        <Suspense>
          <Control knob={knob} where="both" here={false} />
        </Suspense>
      )}
    </div>
  );
}

function Toggle({ knob }: { readonly knob: Knob }): ReactNode {
  const dispatch = useDispatch();
  const { path } = knob;
  const value = useSelect((state) => knobValue(state, "b", path)) ?? knob.default;
  const ofA = useSelect((state) => knobValue(state, "a", path)) ?? knob.default;
  const own = useSelect((state) => knobValue({ ...state, knobs: NO_KNOBS }, "b", path));
  const isOwn = own !== undefined && sameValue(value, own);
  const inert = useSelect((state) => resolvedKnob(state.sides.b.shown, path)?.inert);
  const to = isOwn || own === undefined ? ofA : own;
  const [words, toWords] = useWords(path, [value, to], isOwn);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOwn}
      aria-label={`${knobName(knob)} of B: ${words}`}
      className="guided-toggle"
      disabled={inert !== undefined}
      title={inert ?? `Give B ${toWords}${isOwn ? ", as A has" : " again"}`}
      data-testid={`guided-toggle`}
      onClick={() => dispatch({ type: "knob_set", where: "b", path, value: to, settled: true })}
    >
      <SideBadge side="b" />
      <span className="guided-track" aria-hidden="true" />
      <span className="guided-value">{inert === undefined ? words : "no effect"}</span>
    </button>
  );
}

/** The kernel's own word for a value that only a file needs: `ipi_2026_noself`. */
const TOKEN = /^\w+_\w+$/;

/** The value of B and the one that the next press gives it; a token is called as its side is. */
function useWords(
  path: string,
  [value, to]: readonly [KnobValue, KnobValue],
  isOwn: boolean,
): readonly [string, string] {
  const a = useSelect((state) => sideLabel({ ...state, knobs: NO_KNOBS }, "a"));
  const b = useSelect((state) => sideLabel({ ...state, knobs: NO_KNOBS }, "b"));
  const named = { a, b };
  const said = (each: KnobValue, side: Side): string => {
    const words = saidValue(path, each);
    return TOKEN.test(words) ? named[side] : words;
  };
  return isOwn ? [said(value, "b"), said(to, "a")] : [said(value, "a"), said(to, "b")];
}
