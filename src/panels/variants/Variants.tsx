// Which of the scenario's variants each side shows: all of them, for both sides.

import type { ReactNode } from "react";
import { chosenVariant, customWords, variantsOf } from "../../scenario/variants.ts";
import { sideLabel } from "../../state/select/selectors.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import { LETTERS_MAX, shortChanged, shortCustom } from "./short-custom.ts";
import { VariantsMore } from "./VariantsMore.tsx";

export function Variants({ onAll }: { readonly onAll: () => void }): ReactNode {
  return (
    <section className="variants" aria-label="Variants">
      <div className="variant-sides">
        {SIDES.map((side) => (
          <VariantPicker key={side} side={side} />
        ))}
      </div>
      <VariantsMore onAll={onAll}>
        <Swap />
      </VariantsMore>
    </section>
  );
}

function Swap(): ReactNode {
  const dispatch = useDispatch();
  return (
    <button
      type="button"
      className="button tiny variant-swap"
      aria-label="Swap A and B"
      title="Swap A and B (X): each side gets the other one’s knobs and changes in mid-run"
      data-testid="swap"
      onClick={() => dispatch({ type: "sides_swapped" })}
    >
      <Icon name="swap" />
    </button>
  );
}

/** The choice "none of the variants". */
const CUSTOM = "";

function VariantPicker({ side }: { readonly side: Side }): ReactNode {
  const dispatch = useDispatch();
  const entry = useSelect((state) => state.entry);
  const name = useSelect((state) => chosenVariant(state.entry, state.knobs, side)?.name);
  const custom = useSelect((state) => customWords(state.entry, state.knobs, side));
  const other = useSelect((state) => sideLabel(state, otherSide(side)));
  // The label includes the changes written in mid-run: "pull" alone would be wrong for a run that
  // pushes from 50 ms on.
  const label = useSelect((state) => sideLabel(state, side));
  const whole = useSelect((state) => sideLabel(state, side, true));
  return (
    <label className="variant">
      <SideBadge side={side} />
      <select
        // A longer name is set smaller, so that it is not cut.
        className={label.length > LETTERS_MAX ? "select long" : "select"}
        aria-label={`Variant of side ${side.toUpperCase()}`}
        title={whole}
        value={name ?? CUSTOM}
        data-testid={`variant-${side}`}
        onChange={(event) => dispatch({ type: "variant_chosen", side, name: event.target.value })}
      >
        {name === undefined && <option value={CUSTOM}>{shortCustom(custom, other)}</option>}
        {variantsOf(entry).map((variant) => (
          <option key={variant.name} value={variant.name}>
            {variant.name === name ? shortChanged(label, name) : variant.name}
          </option>
        ))}
      </select>
    </label>
  );
}
