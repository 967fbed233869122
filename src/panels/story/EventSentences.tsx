// Describes in sentences the event that the viewer stepped to, one line for each side on which
// something happens then. On a walk along causes: the current cause. With the first area: the other
// uses of a drag.

import { Fragment, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { walkOf, walkWords } from "../../state/find/cause-walk.ts";
import { type Walk } from "../../state/shape/walk.ts";
import { eventWords, happeningsAt, type Happening } from "../../state/play/sentences.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useSelect } from "../page/page.ts";
import { cite } from "../../model/rules/rules.ts";
import type { Side } from "../../scenario/sides.ts";
import { rulesOfInstant } from "../rules/rules-at.ts";
import { SourceLink, useKernel } from "../rules/RuleLink.tsx";
import WholeText from "./WholeText.tsx";

interface EventSentencesProps {
  readonly hinted: boolean;
  /** Shown where the event has no sentence. */
  readonly otherwise: ReactNode;
}

export default function EventSentences({ hinted, otherwise }: EventSentencesProps): ReactNode {
  const sides = useSelect((state) => state.sides);
  const eventNs = useSelect((state) => state.eventNs);
  const eventOn = useSelect((state) => state.eventOn);
  const playheadNs = useSelect((state) => state.playheadNs);
  const walk = useSelect(walkOf);
  const happenings = happeningsAt({ sides, eventNs, eventOn, playheadNs });
  if (walk !== undefined) return <OnWalk walk={walk} />;
  if (happenings.length === 0) return hinted ? <AreaHint /> : otherwise;
  return <Lines all={happenings} cpu={eventOn?.cpu} />;
}

function OnWalk({ walk }: { readonly walk: Walk }): ReactNode {
  const way = { side: walk.side, sentences: [plainText(walkWords(walk))], more: 0 };
  const { chosen, causes } = walk;
  return <Lines all={[way]} cause={[chosen + 1, causes.length]} cpu={causes[chosen]?.cpu} />;
}

interface LinesProps {
  readonly all: readonly Happening[];
  /** Which of how many causes. */
  readonly cause?: readonly [nth: number, of: number];
  /** Whose kernel functions are named; all CPUs' if none. */
  readonly cpu: number | undefined;
}

/** The sentences, a line for each side. */
function Lines({ all, cause, cpu }: LinesProps): ReactNode {
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

interface EventRuleProps {
  readonly side: Side;
  readonly ns: number;
  /** The CPU that is stepped along; all of them if none. */
  readonly cpu: number | undefined;
}

/** The line has room for two. */
const LINKS_MAX = 2;

/** The kernel functions behind the event, as links. */
function EventRule({ side, ns, cpu }: EventRuleProps): ReactNode {
  const trace = useSelect((state) => state.sides[side].shown?.trace);
  const kernel = useKernel(side);
  if (trace === undefined || kernel === undefined) return undefined;
  const cited = rulesOfInstant(trace, ns, cpu).flatMap((rule) => cite(rule, kernel) ?? []);
  return (
    <span className="event-rules">
      {cited.slice(0, LINKS_MAX).map((each) => (
        <SourceLink key={each.name} cited={each} />
      ))}
    </span>
  );
}
