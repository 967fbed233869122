// More than two variants: strips below A and B, and all of them at once.

import { Suspense, useMemo, type ReactNode } from "react";
import { nextVariant, STRIPS_MAX, TILES_FROM } from "../../state/compare/strips.ts";
import { lazily } from "../../lib/lazily.tsx";
import { useDispatch, useSelect } from "../page/page.ts";

const StripPickers = lazily(() => import("../strips/StripPickers.tsx"));

interface MoreProps {
  readonly onAll: () => void;
  /** What else can be done with variants, at the end of the row. */
  readonly children: ReactNode;
}

export function VariantsMore({ onAll, children }: MoreProps): ReactNode {
  const dispatch = useDispatch();
  const count = useSelect((state) => state.entry.variants.length);
  const entry = useSelect((state) => state.entry);
  const knobs = useSelect((state) => state.knobs);
  const shown = useSelect((state) => state.strips);
  const strips = shown.length;
  const next = useMemo(() => nextVariant({ entry, knobs, strips: shown }), [entry, knobs, shown]);
  if (count < 2) return <div className="variants-more">{children}</div>;
  return (
    <>
      {strips > 0 && (
        <Suspense fallback={<div className="strip-pickers-room" data-strips={strips} />}>
          <StripPickers />
        </Suspense>
      )}
      <div className="variants-more">
        {next !== undefined && strips < STRIPS_MAX && (
          <button
            type="button"
            className="button tiny"
            title={`${next} as a strip below A and B (V)`}
            data-testid="strip-add"
            onClick={() => dispatch({ type: "strip_added", variant: next })}
          >
            + variant
          </button>
        )}
        {count >= TILES_FROM && (
          <button
            type="button"
            className="button tiny"
            title="Every variant of the scenario: a picture and two figures each (⇧ V)"
            data-testid="variants-open"
            onClick={onAll}
          >
            All {count}
          </button>
        )}
        {children}
      </div>
    </>
  );
}
