// Which colour and texture is which cause; only causes that occur.

import { useId, type ReactNode } from "react";
import { CauseSwatch, causeWords } from "../../charts/cause-rect.tsx";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import { timeSigns } from "../../lib/format.ts";

const SLACK_DOC =
  "part of irq_delay: the timer was due, but a fair task's may expire so much later; no interrupt was late";

export function CauseLegend({ causes }: { readonly causes: readonly number[] }): ReactNode {
  const id = useId();
  if (causes.length === 0) return undefined;
  return (
    <ul className="legend" aria-label="Causes">
      {causes.map((cause) => (
        <li key={cause} title={timeSigns(CAUSES[cause]?.doc ?? SLACK_DOC)}>
          <CauseSwatch cause={cause} defs={`${id}-${cause}`} /> {causeWords(cause)}
        </li>
      ))}
    </ul>
  );
}
