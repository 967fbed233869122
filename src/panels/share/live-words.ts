// What a link and the commands hold of what was written in mid-run: the histories on A and B, and
// no other branch.

import { counted } from "../../lib/count.ts";
import { inOrder, sidesOf } from "../../state/branches/show.ts";
import type { State } from "../../state/shape/state.ts";

/** Undefined where nothing was written. */
export function liveWords({
  branches,
  entry,
  knobs,
}: Pick<State, "branches" | "entry" | "knobs">): string | undefined {
  const left = inOrder(branches, entry.text).filter(
    ({ branch }) => sidesOf(entry, knobs, branch).length === 0,
  ).length;
  const what = "The link and the commands";
  const held =
    knobs.live.length > 0 ? [`${what} include the changes made during the runs of A and B.`] : [];
  const missing =
    left > 0
      ? [
          `${what} do not include ${counted(left, "other branch", "other branches")} of this page: put a branch on A or B to share it.`,
        ]
      : [];
  return [...held, ...missing].join(" ") || undefined;
}
