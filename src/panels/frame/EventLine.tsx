// What happens at the event that was stepped to, in place of the step's caption; that what was
// asked for is not there; and, with the first area, what else a drag can do.

import type { ReactNode } from "react";
import { isWithoutSimulator } from "../../state/select/shipped.ts";
import { optionally } from "../../lib/lazily.tsx";
import { useSelect } from "../page.ts";

const Happenings = optionally(() => import("./Happenings.tsx"));
const WholeText = optionally(() => import("./WholeText.tsx"));

/** The happenings, or `children` where none are to be told. */
export function EventLine({ children }: { readonly children: ReactNode }): ReactNode {
  const atEvent = useSelect((state) => state.eventNs === state.playheadNs);
  const hinted = useSelect(({ area, areasMade }) => area !== undefined && areasMade === 1);
  const reply = useSelect((state) => state.reply);
  const without = useSelect(isWithoutSimulator);
  if (reply !== undefined) {
    // Said.tsx speaks it. Where nothing can run the caption is what there is to read: it stays.
    return (
      <>
        {without && children}
        <div className="event-line">
          <span className="event-words" title={reply} data-testid="reply-line">
            {reply}
          </span>
          <WholeText words={reply}>{reply}</WholeText>
        </div>
      </>
    );
  }
  return atEvent || hinted ? <Happenings hinted={hinted} otherwise={children} /> : children;
}
