// The guided page's head: the question, when and on what machine, and the ways to everything else.

import type { ReactNode } from "react";
import { counted } from "../../lib/count.ts";
import { optionally, atLeisure } from "../../lib/lazily.tsx";
import { Icon } from "../../panels/widgets/Icon.tsx";
import { useDispatch, usePage, useSelect } from "../../panels/page/page.ts";
import { ABOUT } from "../../scenario/about.ts";
import { questionOf } from "../../state/select/selectors.ts";
import { Brand } from "../../panels/widgets/Brand.tsx";
import type { Opened } from "../../panels/page/opened.ts";

const Setup = optionally(() => atLeisure(() => import("../../panels/knobs/SetupWords.tsx")));

interface HeadProps {
  readonly picker: boolean;
  readonly onOpen: (opened: Opened) => void;
}

export function GuidedHead({ picker, onOpen }: HeadProps): ReactNode {
  const question = useSelect(questionOf);
  const home = useSelect(({ route }) => route === "home");
  return (
    <header className="guided-head">
      <Brand />
      <div className="guided-question">
        <h1 className="guided-title" data-testid="question">
          {question}
        </h1>
        <p className="guided-setup">{home ? ABOUT : <Setup />}</p>
      </div>
      <nav className="guided-ways" aria-label="More">
        <Questions picker={picker} onOpen={onOpen} />
        <button
          type="button"
          className="button quiet"
          data-testid="share-open"
          onClick={() => onOpen("share")}
        >
          Share
        </button>
        <LabButton />
        <button
          type="button"
          className="button quiet round"
          aria-label="Search and commands"
          aria-keyshortcuts="/ Control+K"
          title="Find a task, CPU, lock, knob, scenario or command (/ or Ctrl+K)"
          data-testid="search-open"
          onClick={() => onOpen("palette")}
        >
          <Icon name="find" />
        </button>
        <button
          type="button"
          className="button quiet round"
          aria-label="Keyboard help"
          title="Keyboard help (?)"
          data-testid="help-open"
          onClick={() => onOpen("help")}
        >
          ?
        </button>
      </nav>
    </header>
  );
}

/** Opens the list of all questions. */
function Questions({ picker, onOpen }: HeadProps): ReactNode {
  const { catalogue } = usePage();
  const home = useSelect(({ route }) => route === "home");
  return (
    <button
      type="button"
      className="button quiet"
      id="questions"
      aria-expanded={picker}
      data-testid="picker-open"
      onClick={() => onOpen(picker ? undefined : "picker")}
    >
      <span>
        {counted(catalogue.scenarios.length, "question")}
        {home && <span className="guided-symptom"> or your symptom</span>}
      </span>
      <Icon name="down" />
    </button>
  );
}

function LabButton(): ReactNode {
  const dispatch = useDispatch();
  return (
    <button
      type="button"
      className="button"
      title="All knobs, tables and tools on these runs (Z)"
      data-testid="lab-open"
      onClick={() => dispatch({ type: "lab_toggled" })}
    >
      Lab
    </button>
  );
}
