// The bar at the top: which question, sharing, the scenario's text, the theme, help.

import type { ReactNode } from "react";
import { Key } from "../panels/widgets/Key.tsx";
import { Icon } from "../panels/widgets/Icon.tsx";
import { useDispatch, useSelect } from "../panels/page/page.ts";
import { StepDots } from "../panels/story/StepDots.tsx";
import type { Edges } from "./edges.ts";
import { Brand } from "../panels/widgets/Brand.tsx";
import type { Opened } from "../panels/page/opened.ts";
import { THEMES } from "../state/shape/state.ts";

interface HeaderProps {
  readonly title: string;
  /**
   * Whether the title names what the page shows. If it does not, the content below has a heading of
   * its own.
   */
  readonly heads: boolean;
  readonly edges: Edges;
  readonly onOpen: (opened: Opened) => void;
  readonly picker: boolean;
  readonly drawer: boolean;
  readonly onDrawer: () => void;
}

export default function Header({
  title,
  heads,
  edges,
  onOpen,
  picker,
  drawer,
  onDrawer,
}: HeaderProps): ReactNode {
  const Heading = heads ? "h1" : "div";
  return (
    <header className="topbar">
      <Brand />
      <Heading className="question">
        <button
          type="button"
          className="picker-button"
          id="questions"
          aria-expanded={picker}
          data-testid="picker-open"
          onClick={() => onOpen(picker ? undefined : "picker")}
        >
          <span className="picker-title" data-testid="question" title={title}>
            {title}
          </span>{" "}
          <Icon name="down" />
        </button>
      </Heading>
      {heads && <StepDots />}
      {!edges.phone && <span className="topbar-gap" />}
      {heads && (edges.phone ? <KnobsButton /> : <EdgeButtons {...edges} />)}
      {heads && <ScenarioButtons onOpen={onOpen} drawer={drawer} onDrawer={onDrawer} />}
      <SearchButton onOpen={onOpen} />
      <ThemePicker />
      <button
        type="button"
        className="button round"
        data-testid="help-open"
        aria-label="Keyboard help"
        title="Keyboard help (?)"
        onClick={() => onOpen("help")}
      >
        ?
      </button>
    </header>
  );
}

function SearchButton({ onOpen }: Pick<HeaderProps, "onOpen">): ReactNode {
  return (
    <button
      type="button"
      className="button search-button"
      data-testid="search-open"
      aria-label="Search and commands"
      aria-keyshortcuts="/ Control+K"
      title="Find a task, CPU, lock, mark, knob, scenario or command (/ or Ctrl+K)"
      onClick={() => onOpen("palette")}
    >
      <Icon name="find" />
      <span className="search-keys" aria-hidden="true">
        <Key>/</Key> <Key>Ctrl K</Key>
      </span>
    </button>
  );
}

/** What can be done with a scenario, where there is one. */
function ScenarioButtons({
  onOpen,
  drawer,
  onDrawer,
}: Pick<HeaderProps, "onOpen" | "drawer" | "onDrawer">): ReactNode {
  return (
    <>
      <button
        type="button"
        className="button"
        aria-pressed={drawer}
        data-testid="drawer-open"
        onClick={onDrawer}
      >
        Scenario
      </button>
      <button
        type="button"
        className="button"
        data-testid="sweep-open"
        onClick={() => onOpen("sweep")}
      >
        Sweep
      </button>
      <button
        type="button"
        className="button primary-button"
        data-testid="share-open"
        onClick={() => onOpen("share")}
      >
        Share
      </button>
    </>
  );
}

/** On a phone the knobs lie far below the picture. */
function KnobsButton(): ReactNode {
  return (
    <button
      type="button"
      className="button quiet"
      data-testid="to-knobs"
      onClick={() => document.querySelector(".knobs")?.scrollIntoView()}
    >
      Knobs
    </button>
  );
}

/** B and Q for those who do not know the keys. */
function EdgeButtons({ rail, dock, toggleRail, toggleDock }: Edges): ReactNode {
  return (
    <>
      <button
        type="button"
        className="button quiet edge-button"
        aria-pressed={rail}
        title="Knobs and results (B)"
        data-testid="rail-open"
        onClick={toggleRail}
      >
        Knobs
      </button>
      <button
        type="button"
        className="button quiet edge-button"
        aria-pressed={dock}
        title="Answers (Q)"
        data-testid="dock-open"
        onClick={toggleDock}
      >
        Answers
      </button>
    </>
  );
}

function ThemePicker(): ReactNode {
  const dispatch = useDispatch();
  const theme = useSelect((state) => state.theme);
  return (
    <div className="segmented themes" role="radiogroup" aria-label="Theme">
      {THEMES.map((each) => (
        <label key={each} className="segment" title={`${each} theme`}>
          <input
            type="radio"
            name="theme"
            checked={theme === each}
            data-testid={`theme-${each}`}
            onChange={() => dispatch({ type: "theme_set", theme: each })}
          />
          <span>
            <span aria-hidden="true">
              <Icon name={each} />
            </span>
            <span className="visually-hidden">{each}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
