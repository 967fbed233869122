// What happens at the event that was stepped to, in sentences, a line for each side that does something then; on a way along causes, the cause
// one stands at; with the first area, what else a drag can do.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { walkOf, walkWords, type Walk } from "../../state/craft/walk.ts";
import { happeningsAt } from "../../state/play/sentences.ts";
import { SideBadge } from "../bits.tsx";
import { useSelect } from "../page.ts";
import EventRule from "../rules/EventRule.tsx";

interface HappeningsProps {
  readonly hinted: boolean;
  /** Stands where nothing is to be told. */
  readonly otherwise: ReactNode;
}

export default function Happenings({ hinted, otherwise }: HappeningsProps): ReactNode {
  const sides = useSelect((state) => state.sides);
  const eventNs = useSelect((state) => state.eventNs);
  const eventOn = useSelect((state) => state.eventOn);
  const playheadNs = useSelect((state) => state.playheadNs);
  const walk = useSelect(walkOf);
  const happenings = happeningsAt({ sides, eventNs, eventOn, playheadNs });
  if (walk !== undefined) return <OnWalk walk={walk} />;
  if (happenings.length === 0) return hinted ? <AreaHint /> : otherwise;
  return (
    <p className="event-line" role="status" data-testid="event-line">
      {happenings.map(({ side, sentences, more }) => {
        const words = `${sentences.join("; ")}${more > 0 ? `; ${more} more` : ""}.`;
        return (
          <span key={side} className="event-side">
            <SideBadge side={side} />{" "}
            <span className="event-words" title={words}>
              {words}
            </span>
          </span>
        );
      })}
      <EventRule side={happenings[0]?.side ?? "a"} ns={playheadNs} cpu={eventOn?.cpu} />
    </p>
  );
}

function OnWalk({ walk }: { readonly walk: Walk }): ReactNode {
  const playheadNs = useSelect((state) => state.playheadNs);
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

function AreaHint(): ReactNode {
  const drag = useSelect((state) => state.drag);
  return (
    <p className="event-line" role="status" data-testid="area-hint">
      {drag === "area" ? "A drag selects an area, Shift+drag pans" : "Shift+drag selects an area, a drag pans"}; Esc clears the area.
    </p>
  );
}
