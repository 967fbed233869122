// What cyclictest's maximum can and cannot say of a herd: it shows one only when a CPU waits longer
// than the slack between the body's end and the next expiry.

import type { ReactNode } from "react";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { aboutLocks } from "../../state/steps/first-look.ts";
import { longestSpinNs } from "../../state/figures/herd.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useSelect } from "../page/page.ts";

interface Herd {
  readonly side: Side;
  readonly slackNs: number;
  readonly longestNs: number;
}

export function HerdSentence(): ReactNode {
  const sides = useSelect((state) => state.sides);
  const relevant = useSelect((state) => aboutLocks(state.entry.headline));
  const herds = SIDES.flatMap((side): readonly Herd[] => {
    const run = sides[side].shown;
    if (run?.report === undefined || run.meta.herd_slack_ns === undefined) return [];
    return [{ side, slackNs: run.meta.herd_slack_ns, longestNs: longestSpinNs(run.trace) }];
  });
  const slacks = [...new Set(herds.map((herd) => herd.slackNs))];
  if (herds.length === 0 || !relevant) return undefined;
  return (
    <p className="herd" data-testid="herd-sentence">
      {slacks.map((slackNs) => (
        <span key={slackNs}>
          cyclictest’s maximum shows a herd only where a CPU spins for longer than{" "}
          {formatNs(slackNs)}, what its interval leaves beside the body. In this run{" "}
          {herds
            .filter((herd) => herd.slackNs === slackNs)
            .map((herd, index) => (
              <Did key={herd.side} herd={herd} first={index === 0} />
            ))}
          .
        </span>
      ))}
    </p>
  );
}

function Did({
  herd: { side, slackNs, longestNs },
  first,
}: {
  readonly herd: Herd;
  readonly first: boolean;
}): ReactNode {
  const did = longestNs > slackNs;
  return (
    <>
      {first ? "" : "; "}
      <span data-testid={`herd-${side}`} data-did={did} data-longest-ns={longestNs}>
        <SideBadge side={side} /> spins for up to {threeFigures(longestNs)}: it{" "}
        <strong>{did ? "shows" : "does not show"}</strong>
      </span>
    </>
  );
}
