// Which variants the strips show.

import type { ReactNode } from "react";
import { stripLetter, stripName } from "../../state/compare/strips.ts";
import { variantsOf } from "../../scenario/variants.ts";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, useSelect } from "../page/page.ts";

/** A longer name is set smaller, so that less of it is cut. */
const LETTERS_MAX = 18;

/** A link named a variant that the scenario does not have. */
const NONE = "no such variant";

export default function StripPickers(): ReactNode {
  const dispatch = useDispatch();
  const entry = useSelect((state) => state.entry);
  const strips = useSelect((state) => state.strips);
  const knobs = useSelect((state) => state.knobs);
  return strips.map(({ variant }, index) => {
    const letter = stripLetter(index);
    const name = letter.toUpperCase();
    const known = variantsOf(entry).some((each) => each.name === variant);
    const label = stripName({ entry, knobs }, variant);
    return (
      <div key={letter} className="variant">
        <span className="badge side-more">{name}</span>
        <select
          className={known && label.length > LETTERS_MAX ? "select long" : "select"}
          aria-label={`Variant of strip ${name}`}
          title={known ? stripName({ entry, knobs }, variant, true) : NONE}
          value={variant}
          data-testid={`variant-${letter}`}
          onChange={(event) =>
            dispatch({ type: "strip_chosen", index, variant: event.target.value })
          }
        >
          {!known && <option value={variant}>{NONE}</option>}
          {variantsOf(entry).map((each) => (
            <option key={each.name} value={each.name}>
              {each.name === variant ? label : each.name}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button quiet variant-swap"
          aria-label={`Remove strip ${name}`}
          title={`Remove strip ${name}`}
          data-testid={`variant-${letter}-remove`}
          onClick={() => dispatch({ type: "strip_removed", index })}
        >
          <Icon name="close" />
        </button>
      </div>
    );
  });
}
