// What happens at the event that was stepped to, in place of the step's caption; that what was asked for is not there; and, with the first
// area, what else a drag can do.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { walkOf, walkWords } from "../../state/craft/walk.ts";
import { SideBadge } from "../bits.tsx";
import type { Drag } from "../../state/craft/drag.ts";
import { optionally } from "../lazily.tsx";
import { useSelect } from "../page.ts";

const Happenings = optionally(() => import("./Happenings.tsx"));
const EventRule = optionally(() => import("../rules/EventRule.tsx"));

function AreaHint({ drag }: { readonly drag: Drag }): ReactNode {
  return (
    <p className="event-line" role="status" data-testid="area-hint">
      {drag === "area" ? "A drag selects an area, Shift+drag pans" : "Shift+drag selects an area, a drag pans"}; Esc clears the area.
    </p>
  );
}

/** The happenings, or `children` where none are to be told. */
export function EventLine({ children }: { readonly children: ReactNode }): ReactNode {
  const playheadNs = useSelect((state) => state.playheadNs);
  const atEvent = useSelect((state) => state.eventNs === state.playheadNs);
  const hint = useSelect(({ area, areasMade, drag }) => (area !== undefined && areasMade === 1 ? drag : undefined));
  const walk = useSelect(walkOf);
  const reply = useSelect((state) => state.reply);
  if (reply !== undefined) {
    // Said.tsx speaks it.
    return (
      <p className="event-line" data-testid="reply-line">
        <span className="event-words" title={reply}>
          {reply}
        </span>
      </p>
    );
  }
  if (walk !== undefined) {
    const words = plainText(walkWords(walk));
    return (
      <p className="event-line" role="status" data-testid="event-line">
        <span className="event-side">
          <SideBadge side={walk.side} />{" "}
          <span className="event-words" title={words} data-cause={walk.chosen + 1} data-causes={walk.causes.length}>
            {words}
          </span>
        </span>
        <EventRule side={walk.side} ns={playheadNs} cpu={walk.causes[walk.chosen]?.cpu} />
      </p>
    );
  }
  const otherwise = hint === undefined ? children : <AreaHint drag={hint} />;
  return atEvent ? <Happenings otherwise={otherwise} /> : otherwise;
}
