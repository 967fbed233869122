// The stage of the guided page, an embed, a talk and a lesson: each side has a head that says what
// people call it and its numbers, and what the step does not speak of is quiet.

import type { ReactNode } from "react";
import { Boundary } from "../../panels/widgets/Boundary.tsx";
import { Machine } from "../../panels/frame/Machine.tsx";
import { useSelect } from "../../panels/page/page.ts";
import { quietSide } from "../../state/steps/subject.ts";
import type { StageProps } from "../../stage/index.ts";
import type { Side } from "../../scenario/sides.ts";
import { GuidedSide } from "./GuidedSide.tsx";
import "./guided.css";

interface GuidedStageProps {
  /** A bet lies over it: the stage is neither pressed nor read aloud. */
  readonly covered?: boolean;
  /** CPUs that are highlighted; undefined: those of the step. */
  readonly emphasis?: readonly number[] | undefined;
  readonly room?: StageProps["room"];
  readonly theme?: StageProps["theme"] | undefined;
  /** Multiplies the sizes of labels, tracks and lanes. */
  readonly scale?: number | undefined;
  /** The name alone, where the frame shows the numbers elsewhere. */
  readonly numbers?: boolean;
  /** Whether the viewer's hand can change what it presses and drags. */
  readonly hand?: boolean;
}

export function GuidedStage({
  covered = false,
  emphasis,
  room = "fit",
  theme,
  scale,
  numbers = true,
  hand = false,
}: GuidedStageProps): ReactNode {
  const quiet = useSelect(quietSide);
  return (
    <div className="guided-stage" data-quiet={quiet} data-testid="stage" inert={covered}>
      <Boundary what="The machine’s timeline">
        <Machine
          room={room}
          theme={theme}
          scale={scale}
          emphasis={emphasis}
          head={numbers ? headOf : nameOf}
          hand={hand}
        />
      </Boundary>
    </div>
  );
}

const headOf = (side: Side): ReactNode => <GuidedSide side={side} />;
const nameOf = (side: Side): ReactNode => <GuidedSide side={side} numbers={false} />;
