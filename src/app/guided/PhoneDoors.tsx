// On the first screen of a phone: a symptom as its reader says it, the field for any other, and the
// box for what one brings along. A larger screen has these in its list of questions.

import type { ReactNode } from "react";
import { askPaste } from "../../panels/paste/ask-paste.ts";
import { followHere, usePage } from "../../panels/page/page.ts";

/** The scenario that answers the symptom. */
const THROTTLED = "s/quota-average-lies/";

export default function PhoneDoors({ onList }: { readonly onList: () => void }): ReactNode {
  const { root, go } = usePage();
  return (
    <nav className="phone-doors" aria-label="What brings you here?" data-testid="phone-doors">
      <a
        className="button"
        href={root + THROTTLED}
        data-testid="door-throttled"
        onClick={(event) => followHere(event, () => go(root + THROTTLED))}
      >
        “My container is throttled”
      </a>
      <button type="button" className="button" data-testid="door-symptom" onClick={onList}>
        Other symptom
      </button>
      <button
        type="button"
        className="button"
        title="Paste what you have: cpu.max, a Pod, cyclictest …"
        data-testid="door-paste"
        onClick={askPaste}
      >
        Paste
      </button>
    </nav>
  );
}
