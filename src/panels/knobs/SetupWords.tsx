// Says in a sentence what is compared, and names the costs. Fetched once the first picture is
// drawn.

import type { ReactNode } from "react";
import type { RunMeta } from "../../engine/gen/types.ts";
import { latestMeta } from "../../state/select/offers.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { isGuided } from "../../state/select/guided.ts";
import { WhichButton } from "./WhichButton.tsx";
import { changedCosts, setupWords } from "./setup-words.ts";

export default function SetupWords(): ReactNode {
  const { catalogue } = usePage();
  const words = useSelect((state) => setupWords(state, catalogue.knobs));
  // The lab has the button at its kernel's knobs.
  const guided = useSelect(isGuided);
  return (
    <>
      <span data-testid="setup" title={words}>
        {words}
      </span>{" "}
      <CostWords /> {guided && <WhichButton />}
    </>
  );
}

/**
 * What was set besides the preset of costs: "costs vm2_meas, schedule_ns 1200"; one chip where both
 * sides have the same.
 */
function CostWords(): ReactNode {
  const a = useSelect((state) => costsOf(latestMeta(state, "a")));
  const b = useSelect((state) => costsOf(latestMeta(state, "b")));
  const chips =
    a === b
      ? ([["a", a]] as const)
      : ([
          ["a", a],
          ["b", b],
        ] as const);
  return chips.map(
    ([side, words]) =>
      words !== undefined && (
        <span
          key={side}
          className="chip chip-stated"
          title="Costs that were set for this run, beside its preset"
          data-testid={`cost-words-${side}`}
        >
          {a !== b && <SideBadge side={side} />} costs {words}
        </span>
      ),
  );
}

function costsOf(meta: RunMeta | undefined): string | undefined {
  return meta === undefined ? undefined : changedCosts(meta);
}
