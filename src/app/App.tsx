// The page: header, the question with its switch and its numbers, the machine with its latencies, playback below.

import { lazy, Suspense, useEffect, useState, type MouseEvent, type ReactNode } from "react";
import { Boundary } from "../panels/Boundary.tsx";
import { Headline } from "../panels/Headline.tsx";
import { HerdSentence } from "../panels/HerdSentence.tsx";
import { HelpDialog } from "../panels/HelpDialog.tsx";
import { CostWords } from "../panels/KnobNotes.tsx";
import { KnobStrip, PrimaryKnob } from "../panels/Knobs.tsx";
import { Latency } from "../panels/Latency.tsx";
import { LinkRefused, LinkStrips } from "../panels/LinkStrips.tsx";
import { lazily } from "../panels/lazily.tsx";
import { Machine } from "../panels/Machine.tsx";
import { usePage, useSelect } from "../panels/page.ts";
import { Picker } from "../panels/Picker.tsx";
import { Costs, Provenance } from "../panels/Provenance.tsx";
import { ScenarioDrawer } from "../panels/ScenarioDrawer.tsx";
import { SelectedWake } from "../panels/SelectedWake.tsx";
import { ShareDialog } from "../panels/ShareDialog.tsx";
import { SideStatuses } from "../panels/SideStatus.tsx";
import { Transport } from "../panels/Transport.tsx";
import type { Knob } from "../engine/gen/types.ts";
import { alikeInEffect, differingKnobs, isComputing, knobValue, questionOf } from "../state/selectors.ts";
import { counted } from "../lib/count.ts";
import { formatNs } from "../lib/format.ts";
import { findKnob, knobName, valueText } from "../state/knobs/knob-values.ts";
import { SIDES } from "../state/sides.ts";
import type { State } from "../state/state.ts";
import { Header, type Opened } from "./Header.tsx";
import { handleKey } from "./keyboard.ts";

const Numbers = lazily(() => import("../panels/Numbers.tsx"));
const Quota = lazily(() => import("../panels/Quota.tsx"));
const SweepDialog = lazy(() => import("../panels/sweep/SweepDialog.tsx"));
const Story = lazily(() => import("../panels/Story.tsx"));

export function App(): ReactNode {
  const page = usePage();
  const [opened, setOpened] = useState<Opened>();
  const problem = useSelect((state) => state.linkProblem);
  const route = useSelect((state) => state.route);
  // Undefined until the viewer says: a scenario of one's own comes with its text.
  const [wanted, setWanted] = useState<boolean>();
  const drawer = wanted ?? route === "own";
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => handleKey(event, page, { openHelp: () => setOpened("help") });
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [page]);
  const close = (): void => setOpened(undefined);
  useEscape(opened === "picker", () => {
    close();
    document.getElementById("questions")?.focus();
  });
  return (
    <>
      {problem === undefined && (
        <a className="skip" href="#results" onClick={skipToResults}>
          Skip to the results
        </a>
      )}
      <Header onOpen={setOpened} drawer={drawer} onDrawer={() => setWanted(!drawer)} picker={opened === "picker"} />
      {opened === "picker" && (
        <nav className="picker-panel" aria-label="Scenarios">
          <Picker onPicked={close} />
        </nav>
      )}
      {problem === undefined ? (
        <Lab home={route === "home" && opened !== "picker"} drawer={drawer} onCloseDrawer={() => setWanted(false)} />
      ) : (
        <LinkRefused problem={problem} />
      )}
      {opened === "share" && <ShareDialog onClose={close} />}
      {opened === "sweep" && (
        <Suspense>
          <SweepDialog onClose={close} />
        </Suspense>
      )}
      {opened === "help" && <HelpDialog onClose={close} />}
    </>
  );
}

/** While `active`, Escape does `leave` and nothing else. */
function useEscape(active: boolean, leave: () => void): void {
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopImmediatePropagation();
      leave();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  });
}

/** Moves the focus, not the address: the fragment is the link's. */
function skipToResults(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("results")?.focus();
}

function Lab({
  home,
  drawer,
  onCloseDrawer,
}: {
  readonly home: boolean;
  readonly drawer: boolean;
  readonly onCloseDrawer: () => void;
}): ReactNode {
  const empty = useSelect((state) => state.entry.text.trim() === "");
  return (
    <div className={drawer ? "with-drawer" : "without-drawer"}>
      <main className="lab" id="results" tabIndex={-1} data-testid="lab">
        {home && <Welcome />}
        <LinkStrips />
        <Question />
        <SideStatuses />
        {empty ? (
          <p className="empty lab-empty">Nothing to run yet: paste or write a scenario on the right, or start from a shipped one.</p>
        ) : (
          <>
            <div className="deck">
              <PrimaryKnob />
              <Boundary what="The headline">
                <Headline />
              </Boundary>
            </div>
            <Boundary what="The row of knobs">
              <KnobStrip />
            </Boundary>
            <Stage />
            <Boundary what="The table of costs">
              <Costs />
            </Boundary>
          </>
        )}
      </main>
      {drawer && (
        <Boundary what="The scenario’s text">
          <ScenarioDrawer onClose={onCloseDrawer} />
        </Boundary>
      )}
      {!empty && (
        <Boundary what="Playback">
          <Transport />
        </Boundary>
      )}
    </div>
  );
}

/** The machine and what its runs say, in two columns. */
function Stage(): ReactNode {
  return (
    <div className="stage">
      <Column
        panels={{
          "The machine’s timeline": <Machine />,
          "The panel of the selected wake-up": <SelectedWake />,
          "The quota panel": <QuotaIfAny />,
          "The numbers": (
            <Suspense>
              <Numbers />
            </Suspense>
          ),
          "The story": (
            <Suspense>
              <Story />
            </Suspense>
          ),
        }}
      />
      <Column
        panels={{ "The latency panel": <Latency />, "The sentence on the herd": <HerdSentence />, "The panel of sources": <Provenance /> }}
      />
    </div>
  );
}

/** Panels one below the other, each by the name it has when it fails. */
function Column({ panels }: { readonly panels: Readonly<Record<string, ReactNode>> }): ReactNode {
  return (
    <div className="column">
      {Object.entries(panels).map(([what, panel]) => (
        <Boundary key={what} what={what}>
          {panel}
        </Boundary>
      ))}
    </div>
  );
}

/** Its code is fetched with the first run that has groups. */
function QuotaIfAny(): ReactNode {
  const has = useSelect((state) => SIDES.some((side) => (state.sides[side].shown?.meta.groups.length ?? 0) > 0));
  return (
    has && (
      <Suspense>
        <Quota />
      </Suspense>
    )
  );
}

/** The front page shows every question; the first of them runs below. */
function Welcome(): ReactNode {
  return (
    <section className="welcome" aria-label="Scenarios">
      <Picker
        lead="A machine with many CPUs doing what Linux does, event by event. Pick a question, flip one kernel switch, see who was late and why."
        onPicked={() => undefined}
      />
    </section>
  );
}

function Question(): ReactNode {
  const title = useSelect(questionOf);
  const source = useSelect((state) => state.entry.source);
  const { catalogue } = usePage();
  const setup = useSelect((state) => setupWords(state, catalogue.knobs));
  return (
    <header className="question">
      <h1 data-testid="question">{title}</h1>
      <p className="muted">
        <span data-testid="setup">{setup}</span> <CostWords /> {source !== "" && <span className="chip">{source}</span>}
      </p>
    </header>
  );
}

/** What is compared, in one sentence. */
function setupWords(state: State, knobs: readonly Knob[]): string {
  const [a, b] = SIDES.map((side) => state.sides[side].shown?.meta.cpus);
  if (a === undefined) return isComputing(state) ? "Computing the first run." : "No run yet.";
  const cpus = b === undefined || a === b ? counted(a, "CPU") : `${counted(a, "CPU")} against ${b}`;
  const stated = differingKnobs(state);
  const alike = alikeInEffect(state);
  const differing = stated.filter((path) => !alike.includes(path));
  const draws = differing.includes("seed") ? "with different draws" : "with the same draws";
  const nameOf = (path: string): string => {
    const knob = findKnob(knobs, path);
    return knob === undefined ? path : knobName(knob);
  };
  const later = state.knobs.live.map(({ where, path, value, atNs }) => {
    const on = where === "both" ? "On both sides" : `On ${where.toUpperCase()}`;
    return ` ${on} ${nameOf(path)} becomes ${valueText(value)} at ${formatNs(atNs, 2)}.`;
  });
  if (later.length > 0 && differing.length === 0) return `${cpus}, simulated twice ${draws}; both start alike.${later.join("")}`;
  const [same] = alike;
  if (differing.length === 0 && same !== undefined) {
    const values = SIDES.map((side) => valueText(knobValue(state, side, same) ?? "")).join(" and ");
    return `${cpus}. Both sides are identical: ${nameOf(same)} is stated as ${values}, which is the same here. Change one thing on one of them.`;
  }
  const labels = differing.map(nameOf);
  if (labels.length === 0) return `${cpus}. Both sides are identical: change one thing on one of them.`;
  const last = labels.at(-1) ?? "";
  const list = labels.length === 1 ? `only ${last} differs` : `${labels.slice(0, -1).join(", ")} and ${last} differ`;
  return `${cpus}, simulated twice ${draws}: ${list}.${later.join("")}`;
}
