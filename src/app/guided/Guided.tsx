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

import type { ReactNode } from "react";
import { Boundary } from "../../panels/widgets/Boundary.tsx";
import { Machine } from "../../panels/frame/Machine.tsx";
import { SideStatuses } from "../../panels/frame/SideStatus.tsx";
import { useSelect } from "../../panels/page/page.ts";
import { quietSide } from "../../state/steps/subject.ts";
import type { Opened } from "../../panels/page/opened.ts";
import { GuidedHead } from "./GuidedHead.tsx";
import { GuidedSide } from "./GuidedSide.tsx";
import { StepBar } from "./StepBar.tsx";
import { StepWords } from "./StepWords.tsx";
import "./guided.css";

interface GuidedProps {
  readonly picker: boolean;
  readonly onOpen: (opened: Opened) => void;
}

export function Guided(props: GuidedProps): ReactNode {
  const quiet = useSelect(quietSide);
  return (
    <>
      <GuidedHead {...props} />
      <main className="guided" id="results" tabIndex={-1} data-quiet={quiet} data-testid="guided">
        <div className="guided-notices">
          <SideStatuses />
        </div>
        <div className="guided-stage" data-testid="stage">
          <Boundary what="The machine’s timeline">
            <Machine room="fit" head={(side) => <GuidedSide side={side} />} />
          </Boundary>
        </div>
        <StepWords />
        <StepBar onSizes={() => props.onOpen("sizes")} />
      </main>
    </>
  );
}
