// The right edge: answers. Why opens by itself when something is selected. What is not shown first
// is fetched when it is asked for.

import { Activity, Suspense, useState, type CSSProperties, type ReactNode } from "react";
import { SIDES } from "../../scenario/sides.ts";
import { Boundary } from "../widgets/Boundary.tsx";
import { atLeisure, Coming, lazily } from "../../lib/lazily.tsx";
import { useSelect } from "../page/page.ts";
import { DockEdge, useDockWidth } from "./DockEdge.tsx";
import { DOCK_TABS, type DockTab, DOCK_NAMES } from "../page/dock-tabs.ts";

const AreaTab = lazily(() => import("../area/AreaTab.tsx"));
const ChangeHere = lazily(() => atLeisure(() => import("../live/ChangeHere.tsx")));
const Latency = lazily(() => import("../latency/LatencyTab.tsx"));
const HeadlineBars = lazily(() => import("../numbers/HeadlineBars.tsx"));
const Numbers = lazily(() => import("../numbers/Numbers.tsx"));
const Quota = lazily(() => import("../quota/Quota.tsx"));
const RealMachine = lazily(() => import("../real/RealMachine.tsx"));
const RulesAtPlayhead = lazily(() => import("../rules/RulesAtPlayhead.tsx"));
const Sources = lazily(() => atLeisure(() => import("../knobs/Provenance.tsx")));
const SelectedWake = lazily(() => atLeisure(() => import("../latency/SelectedWake.tsx")));
const Story = lazily(() => atLeisure(() => import("../story/Story.tsx")));

/**
 * What a sheet of paper has of answers that were never opened: where the dock is closed, their
 * scripts are fetched for it.
 */
export const ON_PAPER = [SelectedWake, RulesAtPlayhead, Story, RealMachine, Sources] as const;
/** React's types do not know properties of our own. */
const dockStyle = (width: number): CSSProperties => ({ "--dock": `${width}px` }) as CSSProperties;

interface DockProps {
  readonly tab: DockTab;
  readonly onTab: (tab: DockTab) => void;
  readonly onSweep: () => void;
}

export function Dock({ tab, onTab, onSweep }: DockProps): ReactNode {
  const withQuota = useSelect((state) =>
    SIDES.some((side) => (state.sides[side].shown?.meta.groups.length ?? 0) > 0),
  );
  const slug = useSelect((state) => state.entry.slug);
  const withArea = useSelect((state) => state.area !== undefined);
  const [width, setWidth] = useDockWidth();
  const tabs = DOCK_TABS.filter((each) => each !== "area" || withArea);
  return (
    <section
      className="dock"
      aria-label="Answers"
      data-testid="dock"
      style={width === undefined ? undefined : dockStyle(width)}
    >
      <DockEdge width={width} onWidth={setWidth} />
      <TabList tabs={tabs} tab={tab} onTab={onTab} />
      <Panel tab="why" shown={tab} what="The panel of the selected wake-up" stays>
        <SelectedWake />
        <ChangeHere key={slug} />
        <RulesAtPlayhead />
      </Panel>
      {withArea && (
        <Panel tab="area" shown={tab} what="The sums of the area">
          <AreaTab />
        </Panel>
      )}
      <Panel tab="latency" shown={tab} what="The latency panel">
        <Latency />
      </Panel>
      <Panel tab="story" shown={tab} what="The story">
        <Story onSweep={onSweep} />
        <RealMachine />
      </Panel>
      <Panel tab="numbers" shown={tab} what="The table of numbers" rests>
        <Numbers />
        {withQuota && <Quota onSweep={onSweep} />}
        <HeadlineBars />
      </Panel>
      <Panel tab="sources" shown={tab} what="The panel of sources" stays>
        <Sources />
      </Panel>
    </section>
  );
}

interface TabListProps extends Pick<DockProps, "tab" | "onTab"> {
  readonly tabs: readonly DockTab[];
}

function TabList({ tabs, tab, onTab }: TabListProps): ReactNode {
  const step = (by: number): void => {
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? "why";
    onTab(next);
    document.getElementById(`dock-${next}`)?.focus();
  };
  return (
    <div
      className="dock-tabs"
      role="tablist"
      aria-label="Answers"
      onKeyDown={(event) => {
        if (event.code !== "ArrowRight" && event.code !== "ArrowLeft") return;
        event.preventDefault();
        event.stopPropagation();
        step(event.code === "ArrowRight" ? 1 : -1);
      }}
    >
      {tabs.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`dock-${each}`}
          className="dock-tab"
          aria-selected={tab === each}
          aria-controls={`dock-panel-${each}`}
          tabIndex={tab === each ? 0 : -1}
          data-testid={`dock-${each}`}
          onClick={() => onTab(each)}
        >
          {DOCK_NAMES[each]}
        </button>
      ))}
    </div>
  );
}

interface PanelProps {
  readonly tab: DockTab;
  readonly shown: DockTab;
  readonly what: string;
  /**
   * Kept up to date while another is shown: cheap, and what was read there is still there on the
   * way back.
   */
  readonly stays?: boolean;
  /**
   * Kept as it was left, asleep, once it was shown: a row that selects a wake-up leads away, and
   * the way back leads to that row.
   */
  readonly rests?: boolean;
  readonly children: ReactNode;
}

function Panel({
  tab,
  shown,
  what,
  stays = false,
  rests = false,
  children,
}: PanelProps): ReactNode {
  const here = tab === shown;
  const [visited, setVisited] = useState(here);
  if (here && !visited) setVisited(true);
  return (
    <div
      role="tabpanel"
      id={`dock-panel-${tab}`}
      className="dock-panel"
      aria-labelledby={`dock-${tab}`}
      hidden={!here}
      tabIndex={0}
      data-testid={`dock-panel-${tab}`}
    >
      {(stays || here || (rests && visited)) && (
        <Activity mode={stays || here ? "visible" : "hidden"}>
          <Boundary what={what}>
            <Suspense fallback={<Coming />}>{children}</Suspense>
          </Boundary>
        </Activity>
      )}
    </div>
  );
}
