// What happens at the event that was stepped to, in sentences, a line for each side that does
// something then; on a way along causes, the cause one stands at; with the first area, what else a
// drag can do.

import { Fragment, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { walkOf, walkWords } from "../../state/find/walk.ts";
import { type Walk } from "../../state/shape/walk.ts";
import { eventWords, happeningsAt, type Happening } from "../../state/play/sentences.ts";
import { SideBadge } from "../bits.tsx";
import { useSelect } from "../page.ts";
import EventRule from "../rules/EventRule.tsx";
import WholeText from "./WholeText.tsx";

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
  return <Told all={happenings} cpu={eventOn?.cpu} />;
}

function OnWalk({ walk }: { readonly walk: Walk }): ReactNode {
  const told = { side: walk.side, sentences: [plainText(walkWords(walk))], more: 0 };
  const { chosen, causes } = walk;
  return <Told all={[told]} cause={[chosen + 1, causes.length]} cpu={causes[chosen]?.cpu} />;
}

interface ToldProps {
  readonly all: readonly Happening[];
  /** Which of how many causes. */
  readonly cause?: readonly [nth: number, of: number];
  /** Whose kernel functions are named; all CPUs' if none. */
  readonly cpu: number | undefined;
}

/** The sentences, a line for each side. */
function Told({ all, cause, cpu }: ToldProps): ReactNode {
  const playheadNs = useSelect((state) => state.playheadNs);
  const words = all.map((each) => eventWords(each));
  return (
    <div className="event-line" role="status" data-testid="event-line">
      {all.map(({ side }, index) => (
        <span key={side} className="event-side">
          <SideBadge side={side} />{" "}
          <span
            className="event-words"
            title={words[index]}
            data-cause={cause?.[0]}
            data-causes={cause?.[1]}
          >
            {words[index]}
          </span>
        </span>
      ))}
      <WholeText words={words.join("\n")}>
        {all.map(({ side, sentences, more }) => (
          <Fragment key={side}>
            {sentences.map((sentence, index) => (
              // Two rows of an instant may say the same.
              <span key={index}>
                <SideBadge side={side} /> {sentence}.
              </span>
            ))}
            {more > 0 && <span className="muted">{more} more at this instant.</span>}
          </Fragment>
        ))}
      </WholeText>
      <EventRule side={all[0]?.side ?? "a"} ns={playheadNs} cpu={cpu} />
    </div>
  );
}

function AreaHint(): ReactNode {
  const drag = useSelect((state) => state.drag);
  return (
    <p className="event-line" role="status" data-testid="area-hint">
      {drag === "area"
        ? "A drag selects an area, Shift+drag pans"
        : "Shift+drag selects an area, a drag pans"}
      ; Esc clears the area.
    </p>
  );
}
