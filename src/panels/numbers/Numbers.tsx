// Every number of the two runs, as tables: metrics, tasks and causes of both, and the runs of tasks
// of one as perf lists them.

import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { answerRows } from "../moments/ask-rows.ts";
import { Causes, Metrics, Tasks } from "./compared.tsx";
import { WakeUps } from "./WakeUps.tsx";
import "./numbers.css";

const TABS = ["metrics", "tasks", "causes", "wake-ups"] as const;
type Tab = (typeof TABS)[number];

/**
 * Fills the height that the window leaves, at least a dozen rows. Takes no props: mount it anywhere
 * inside the page.
 */
export default function Numbers(): ReactNode {
  const [tab, setTab] = useState<Tab>("metrics");
  const [search, setSearch] = useState("");
  const id = useId();
  const show = (next: Tab, sought = ""): void => {
    setTab(next);
    setSearch(sought);
  };
  useEffect(
    () =>
      answerRows((sought) => {
        setTab("metrics");
        setSearch(sought);
      }),
    [],
  );
  return (
    <section className="numbers" aria-label="Numbers" data-testid="numbers">
      <header className="data-picks">
        <Tabs id={id} tab={tab} onTab={show} />
        <input
          type="search"
          className="input"
          placeholder="search rows"
          aria-label="Search rows"
          value={search}
          data-testid="numbers-search"
          onChange={(event) => setSearch(event.target.value)}
        />
      </header>
      <div
        className="numbers-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tab}`}
      >
        {tab === "metrics" && <Metrics search={search} />}
        {tab === "tasks" && <Tasks search={search} onTask={(name) => show("wake-ups", name)} />}
        {tab === "causes" && <Causes search={search} />}
        {tab === "wake-ups" && <WakeUps search={search} />}
      </div>
    </section>
  );
}

function Tabs({
  id,
  tab,
  onTab,
}: {
  readonly id: string;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = event.code === "ArrowRight" ? 1 : event.code === "ArrowLeft" ? TABS.length - 1 : 0;
    const next = TABS[(TABS.indexOf(tab) + by) % TABS.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-testid="numbers-tab-${next}"]`)?.focus();
  };
  return (
    <div className="numbers-tabs" role="tablist" aria-label="Tables" onKeyDown={onKeyDown}>
      {TABS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`${id}-${each}`}
          aria-selected={each === tab}
          aria-controls={`${id}-panel`}
          tabIndex={each === tab ? 0 : -1}
          data-testid={`numbers-tab-${each}`}
          onClick={() => onTab(each)}
        >
          {each}
        </button>
      ))}
    </div>
  );
}
