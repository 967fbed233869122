// What happens at the event that was stepped to, in sentences, a line for each side that does something then.

import type { ReactNode } from "react";
import { happeningsAt } from "../../state/play/sentences.ts";
import { SideBadge } from "../bits.tsx";
import { useSelect } from "../page.ts";
import EventRule from "../rules/EventRule.tsx";

/** `otherwise` stands where nothing is to be told. */
export default function Happenings({ otherwise }: { readonly otherwise: ReactNode }): ReactNode {
  const sides = useSelect((state) => state.sides);
  const eventNs = useSelect((state) => state.eventNs);
  const eventOn = useSelect((state) => state.eventOn);
  const playheadNs = useSelect((state) => state.playheadNs);
  const happenings = happeningsAt({ sides, eventNs, eventOn, playheadNs });
  if (happenings.length === 0) return otherwise;
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
