// The scenario's switch: one press gives B what A has, and the next gives B its own again. Where the
// sides differ by more than one knob, B gets A's variant; where both have the same value, the switch
// is the knob itself.

import { lazy, Suspense, type ReactNode } from "react";
import { KnobName } from "../../panels/knobs/KnobNotes.tsx";
import { useDispatch, useKnob, useSelect } from "../../panels/page/page.ts";
import { effectiveSet, lookUp, sideVariant } from "../../scenario/knob-sets.ts";
import { knobName, saidValue, sameValue } from "../../scenario/knob-values.ts";
import { SIDES } from "../../scenario/sides.ts";
import { knobValue, resolvedKnob } from "../../state/select/selectors.ts";
import type { State } from "../../state/shape/state.ts";
import { knobsOfStep } from "../../state/steps/resolve.ts";
import type { Knob, KnobValue } from "../../engine/gen/types.ts";
import { VariantToggle } from "./load-late.ts";
import { Switch } from "./Switch.tsx";

const Control = lazy(() =>
  import("../../panels/knobs/Knobs.tsx").then(({ Control: control }) => ({ default: control })),
);

/** The state with the knobs that the open step was written for. */
function asWritten(state: State): State {
  return { ...state, knobs: knobsOfStep(state) };
}

export function GuidedSwitch({ path }: { readonly path: string }): ReactNode {
  const knob = useKnob(path);
  const apart = useSelect(pathsApart);
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
function pathsApart(state: State): number {
  const [a = [], b = []] = SIDES.map((side) => effectiveSet(state.entry, knobsOfStep(state), side));
  const paths = new Set([...a, ...b].map(([path]) => path));
  return [...paths].filter((path) => !sameValue(lookUp(a, path), lookUp(b, path))).length;
}

/** What people call the runs of A and B, a line each. */
export function namesOfVariants({ entry }: State): string {
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
  const [a = "", b = ""] = useSelect(namesOfVariants).split("\n");
  const said = (each: KnobValue, name: string): string => {
    const as = saidValue(path, each);
    return TOKEN.test(as) ? name : as;
  };
  const words = said(value, isOwn ? b : a);
  return (
    <Switch
      label={`${knobName(knob)} of B: ${words}`}
      title={inert ?? `Give B ${said(to, isOwn ? a : b)}${isOwn ? ", as A has" : " again"}`}
      words={inert === undefined ? words : "no effect"}
      isOwn={isOwn}
      disabled={inert !== undefined}
      onPress={() => dispatch({ type: "knob_set", where: "b", path, value: to, settled: true })}
    />
  );
}

/** The kernel's own word for a value that only a file needs: `ipi_2026_noself`. */
const TOKEN = /^\w+_\w+$/;
