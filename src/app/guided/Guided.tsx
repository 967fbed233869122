// The guided page: one question, two sides that people have names for, one switch, and steps that
// play. The lab is one press away and goes on where this page is.
//
//   logo   Why do 40 CPUs wait for one lock?            All questions  Share  Lab  ?
//   A before   39 ...   276 us ...
//   [ stage A ]
//   B after     4 ...   6.6 us ...
//   [ stage B ]
//   caption of the step                                                 41 times less
//   <  o o o o  >   play ======o------   next: ...                      RT_PUSH_IPI

import { useContext, type ReactNode } from "react";
import { HandHeld } from "../../lib/hand-held.ts";
import { SideStatuses } from "../../panels/frame/SideStatus.tsx";
import { useSelect } from "../../panels/page/page.ts";
import { openBet } from "../../state/steps/bet.ts";
import type { Opened } from "../../panels/page/opened.ts";
import { GuidedHead } from "./GuidedHead.tsx";
import { GuidedBet, PhoneDoors } from "./load-late.ts";
import { GuidedStage } from "./GuidedStage.tsx";
import { StepBar } from "./StepBar.tsx";
import { StepWords } from "./StepWords.tsx";

interface GuidedProps {
  readonly picker: boolean;
  readonly onOpen: (opened: Opened) => void;
}

export function Guided(props: GuidedProps): ReactNode {
  const phone = useContext(HandHeld);
  const home = useSelect(({ route }) => route === "home");
  const betting = useSelect((state) => openBet(state) !== undefined);
  return (
    <>
      <GuidedHead {...props} />
      {phone && home && <PhoneDoors onList={() => props.onOpen("picker")} />}
      <main
        className="guided"
        id="results"
        tabIndex={-1}
        data-betting={betting}
        data-testid="guided"
      >
        <div className="guided-notices">
          <SideStatuses />
        </div>
        {betting && <GuidedBet />}
        <GuidedStage covered={betting} hand />
        <StepWords />
        <StepBar onSizes={() => props.onOpen("sizes")} />
      </main>
    </>
  );
}
