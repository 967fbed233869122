// What happens at the event that was stepped to, in place of the step's caption; and, with the first area, what else a drag can do.

import type { ReactNode } from "react";
import { plainText } from "../engine/plain.ts";
import { happeningsAt } from "../state/play/sentences.ts";
import { walkOf, walkWords } from "../state/craft/walk.ts";
import { SideBadge } from "./bits.tsx";
import type { Drag } from "../state/craft/drag.ts";
import { optionally } from "./lazily.tsx";
import { useSelect } from "./page.ts";

const EventRule = optionally(() => import("./rules/EventRule.tsx"));

function AreaHint({ drag }: { readonly drag: Drag }): ReactNode {
  return (
    <p className="event-line" role="status" data-testid="area-hint">
      {drag === "area" ? "A drag selects an area, Shift+drag pans" : "Shift+drag selects an area, a drag pans"}; Esc clears the area.
    </p>
  );
}

/** The happenings, or `children` where none are to be told. */
export function EventLine({ children }: { readonly children: ReactNode }): ReactNode {
  const sides = useSelect((state) => state.sides);
  const eventNs = useSelect((state) => state.eventNs);
  const eventOn = useSelect((state) => state.eventOn);
  const playheadNs = useSelect((state) => state.playheadNs);
  const happenings = happeningsAt({ sides, eventNs, eventOn, playheadNs });
  const hint = useSelect(({ area, areasMade, drag }) => (area !== undefined && areasMade === 1 ? drag : undefined));
  const walk = useSelect(walkOf);
  if (walk !== undefined) {
    const words = plainText(walkWords(walk));
    return (
      <p className="event-line" role="status" data-testid="event-line">
        <span className="event-words" title={words} data-cause={walk.chosen + 1} data-causes={walk.causes.length}>
          <SideBadge side={walk.side} /> {words}
        </span>
        <EventRule side={walk.side} ns={playheadNs} cpu={walk.causes[walk.chosen]?.cpu} />
      </p>
    );
  }
  if (hint !== undefined && happenings.length === 0) return <AreaHint drag={hint} />;
  if (happenings.length === 0) return children;
  return (
    <p className="event-line" role="status" data-testid="event-line">
      {happenings.map(({ side, sentences, more }) => {
        const words = `${sentences.join("; ")}${more > 0 ? `; ${more} more` : ""}.`;
        return (
          <span key={side} className="event-words" title={words}>
            <SideBadge side={side} /> {words}
          </span>
        );
      })}
      <EventRule side={happenings[0]?.side ?? "a"} ns={playheadNs} cpu={eventOn?.cpu} />
    </p>
  );
}
