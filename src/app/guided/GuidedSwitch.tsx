// The scenario's switch: one press gives B what A has, and the next gives B its own again. Where the
// sides differ by more than one knob, B gets A's variant; where both have the same value, the switch
// is the knob itself.

import { lazy, Suspense, type ReactNode } from "react";
import { KnobName } from "../../panels/knobs/KnobNotes.tsx";
import { SideBadge } from "../../panels/widgets/SideBadge.tsx";
import { useDispatch, useKnob, useSelect } from "../../panels/page/page.ts";
import { effectiveSet, lookUp, sideVariant } from "../../scenario/knob-sets.ts";
import { knobName, saidValue, sameValue } from "../../scenario/knob-values.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { knobValue, resolvedKnob, sideLabel } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import { knobsOfStep } from "../../state/steps/resolve.ts";
import type { Knob, KnobValue } from "../../engine/gen/types.ts";

const Control = lazy(() =>
  import("../../panels/knobs/Knobs.tsx").then(({ Control: control }) => ({ default: control })),
);

/** The state with the knobs that the open step was written for. */
function asWritten(state: State): State {
  return { ...state, knobs: knobsOfStep(state) };
}

export function GuidedSwitch({ path }: { readonly path: string }): ReactNode {
  const knob = useKnob(path);
  const apart = useSelect((state) => pathsApart(state));
  const differs = useSelect((state) => {
    const [a, b] = SIDES.map((side) => knobValue(asWritten(state), side, path) ?? "");
    return !sameValue(a, b);
  });
  if (knob === undefined) return undefined;
  return (
    <div className="guided-switch" data-testid="guided-switch">
      <span className="guided-switch-name">
        {apart > 1 ? "B runs" : <KnobName knob={knob} path={path} />}
      </span>
      {apart > 1 ? (
        <VariantToggle />
      ) : differs ? (
        <KnobToggle knob={knob} />
      ) : (
        <Suspense>
          <Control knob={knob} where="both" here={false} />
        </Suspense>
      )}
    </div>
  );
}

/** By how many knobs the sides differ in the runs that the open step was written for. */
function pathsApart({ entry, ...state }: State): number {
  const knobs = knobsOfStep({ entry, ...state });
  const [a, b] = SIDES.map((side) => effectiveSet(entry, knobs, side));
  const paths = new Set([...(a ?? []), ...(b ?? [])].map(([path]) => path));
  return [...paths].filter((path) => !sameValue(lookUp(a ?? [], path), lookUp(b ?? [], path)))
    .length;
}

/** Gives B all of A's variant: single knobs of it may be of another kernel. */
function VariantToggle(): ReactNode {
  const dispatch = useDispatch();
  const isOwn = useSelect(({ entry, knobs, ...state }) => {
    const own = effectiveSet(entry, knobsOfStep({ entry, knobs, ...state }), "b");
    return own.every(([path, value]) =>
      sameValue(lookUp(effectiveSet(entry, knobs, "b"), path), value),
    );
  });
  const [a, b] = useSelect(namesOfVariants).split("\n");
  const [words = "", to = ""] = isOwn ? [b, a] : [a, b];
  const name = useSelect(({ entry }) => sideVariant(entry, isOwn ? "a" : "b").name);
  return (
    <Switch
      label={`B runs: ${words}`}
      title={`Give B ${to}${isOwn ? ", as A has" : " again"}`}
      words={words}
      isOwn={isOwn}
      onPress={() => dispatch({ type: "variant_chosen", side: "b", name })}
    />
  );
}

function namesOfVariants({ entry }: State): string {
  return SIDES.map((side) => sideVariant(entry, side))
    .map(({ called, name }) => called ?? name)
    .join("\n");
}

function KnobToggle({ knob }: { readonly knob: Knob }): ReactNode {
  const dispatch = useDispatch();
  const { path } = knob;
  const value = useSelect((state) => knobValue(state, "b", path)) ?? knob.default;
  const ofA = useSelect((state) => knobValue(state, "a", path)) ?? knob.default;
  const own = useSelect((state) => knobValue(asWritten(state), "b", path));
  const isOwn = own !== undefined && sameValue(value, own);
  const inert = useSelect((state) => resolvedKnob(state.sides.b.shown, path)?.inert);
  const to = isOwn || own === undefined ? ofA : own;
  const [words, toWords] = useWords(path, [value, to], isOwn);
  return (
    <Switch
      label={`${knobName(knob)} of B: ${words}`}
      title={inert ?? `Give B ${toWords}${isOwn ? ", as A has" : " again"}`}
      words={inert === undefined ? words : "no effect"}
      isOwn={isOwn}
      disabled={inert !== undefined}
      onPress={() => dispatch({ type: "knob_set", where: "b", path, value: to, settled: true })}
    />
  );
}

interface SwitchProps {
  readonly label: string;
  readonly title: string;
  /** What B has now. */
  readonly words: string;
  /** Whether B has what it was given by the scenario. */
  readonly isOwn: boolean;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

function Switch({ label, title, words, isOwn, disabled = false, onPress }: SwitchProps): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOwn}
      aria-label={label}
      className="guided-toggle"
      disabled={disabled}
      title={title}
      data-testid="guided-toggle"
      onClick={onPress}
    >
      <SideBadge side="b" />
      <span className="guided-track" aria-hidden="true" />
      <span className="guided-value">{words}</span>
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
  const a = useSelect((state) => sideLabel(asWritten(state), "a"));
  const b = useSelect((state) => sideLabel(asWritten(state), "b"));
  const named = { a, b };
  const said = (each: KnobValue, side: Side): string => {
    const words = saidValue(path, each);
    return TOKEN.test(words) ? named[side] : words;
  };
  return isOwn ? [said(value, "b"), said(to, "a")] : [said(value, "a"), said(to, "b")];
}
