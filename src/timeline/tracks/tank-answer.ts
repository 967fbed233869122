// What happens to a group's run time where a tank is pointed at: the nearest refill, transfer or
// loss, in the words of its mark on the lanes. Fetched behind the first picture.

import type { GroupTrack } from "../../model/index.ts";
import { formatNs } from "../../lib/format.ts";
import type { Plot } from "../plot/plot.ts";
import { nsPerPx } from "../plot/plot.ts";
import { dropLines } from "../marks/drop.ts";
import { REACH_PX } from "../marks/mark.ts";
import { refillLines } from "../marks/refill.ts";
import type { Answer } from "./asked.tsx";

/** The nearest event of the group no further than a mark's reach from `ns`. */
export function tankEvent(plot: Plot, group: GroupTrack, ns: number): Answer | undefined {
  const { trace } = plot;
  const reach = nsPerPx(plot) * REACH_PX;
  const lists = [
    [group.refills, refillLines],
    [group.moves, dropLines],
    [group.losses, dropLines],
    [group.doubles, dropLines],
  ] as const;
  const found = lists.flatMap(([list, lines]) =>
    [...list.listIn(ns - reach, ns + reach)].map((row) => ({ row, lines })),
  );
  const away = ({ row }: (typeof found)[number]): number =>
    Math.abs(trace.events.time.at(row) - ns);
  // Among equally near ones, the first of the lists: a refill comes before the takes that it
  // allows.
  const [nearest] = found.sort((one, other) => away(one) - away(other));
  if (nearest === undefined) return undefined;
  const more =
    found.length > 1
      ? [`the nearest of ${String(found.length)} events within ${String(REACH_PX)} pixels`]
      : [];
  return {
    ns: trace.events.time.at(nearest.row),
    lines: [...nearest.lines(trace, nearest.row, formatNs), ...more],
  };
}
