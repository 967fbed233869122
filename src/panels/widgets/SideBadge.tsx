import type { ReactNode } from "react";
import type { Side } from "../../scenario/sides.ts";

// The letter of a side, in its colour.

export function SideBadge({ side }: { readonly side: Side }): ReactNode {
  return <span className={`badge side-${side}`}>{side.toUpperCase()}</span>;
}
