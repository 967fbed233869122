// The switch of a scenario whose sides differ by more than one knob.

import type { ReactNode } from "react";
import { useDispatch, useSelect } from "../../panels/page/page.ts";
import { effectiveSet, lookUp, sideVariant } from "../../scenario/knob-sets.ts";
import { sameValue } from "../../scenario/knob-values.ts";
import { knobsOfStep } from "../../state/steps/resolve.ts";
import { namesOfVariants } from "./GuidedSwitch.tsx";
import { Switch } from "./Switch.tsx";

/** Gives B all of A's variant: single knobs of it may be of another kernel. */
export default function VariantToggle(): ReactNode {
  const dispatch = useDispatch();
  const isOwn = useSelect((state) => {
    const [own, now] = [knobsOfStep(state), state.knobs].map((knobs) =>
      effectiveSet(state.entry, knobs, "b"),
    );
    const paths = [...(own ?? []), ...(now ?? [])].map(([path]) => path);
    return paths.every((path) => sameValue(lookUp(own ?? [], path), lookUp(now ?? [], path)));
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
