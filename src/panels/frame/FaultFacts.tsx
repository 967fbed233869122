// How the run that failed is repeated natively, and a report of it to copy. It is there before
// anything fails: a network that is lost later takes nothing away.

import type { ReactNode } from "react";
import { valueText } from "../../scenario/knob-values.ts";
import { replayOf } from "../../state/link/commands.ts";
import { contentOf } from "../../state/link/link-state.ts";
import { writeAddress } from "../../links/link.ts";
import { knobValue } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import { ReportButton } from "../widgets/CopyButton.tsx";
import { usePage, useSelect } from "../page/page.ts";

interface FaultFactsProps {
  readonly side: Side;
  /** The letters of all sides that failed alike: "ab". */
  readonly id: string;
  readonly fault: { readonly message: string; readonly replay: string };
}

export default function FaultFacts({ side, id, fault }: FaultFactsProps): ReactNode {
  const { root } = usePage();
  // The engine knows a scenario by its name, which for one's own names nothing the command could
  // find.
  const replay = useSelect((state) =>
    state.route === "own" ? replayOf(state, side) : fault.replay,
  );
  const seed = useSelect((state) => knobValue(state, side, "seed"));
  const title = useSelect((state) => state.entry.title);
  const link = useSelect((state) => writeAddress(contentOf(state)));
  return (
    <>
      <dl className="fault-facts">
        <dt>scenario</dt>
        <dd>{title}</dd>
        <dt>seed</dt>
        <dd>{seed === undefined ? "as in the scenario" : valueText(seed)}</dd>
        <dt>replay natively</dt>
        <dd>
          <code data-testid={`fault-${id}-replay`}>{replay}</code>
        </dd>
      </dl>
      <ReportButton
        lines={[
          fault.message,
          replay,
          ...(link === undefined ? [] : [window.location.origin + root + link]),
        ]}
        testId={`fault-${id}-copy`}
      />
    </>
  );
}
