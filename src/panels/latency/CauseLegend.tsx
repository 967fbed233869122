// Which colour and texture is which cause; only causes that occur.

import { useId, type ReactNode } from "react";
import { CauseSwatch, causeWords } from "../../charts/causes.tsx";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import { microSigns } from "../../lib/format.ts";

export function CauseLegend({ causes }: { readonly causes: readonly number[] }): ReactNode {
  const id = useId();
  if (causes.length === 0) return undefined;
  return (
    <ul className="legend" aria-label="Causes">
      {causes.map((cause) => (
        <li key={cause} title={microSigns(CAUSES[cause]?.doc ?? "")}>
          <CauseSwatch cause={cause} defs={`${id}-${cause}`} /> {causeWords(cause)}
        </li>
      ))}
    </ul>
  );
}
