// The page: header, the question with its switch and its numbers, the machine with its latencies, playback below.

import { lazy, Suspense, useEffect, useState, type MouseEvent, type ReactNode } from "react";
import { Headline } from "../panels/Headline.tsx";
import { HerdSentence } from "../panels/HerdSentence.tsx";
import { HelpDialog } from "../panels/HelpDialog.tsx";
import { KnobStrip, PrimaryKnob } from "../panels/Knobs.tsx";
import { Latency } from "../panels/Latency.tsx";
import { LinkRefused, LinkStrips } from "../panels/LinkStrips.tsx";
import { Machine } from "../panels/Machine.tsx";
import { usePage, useSelect } from "../panels/page.ts";
import { Picker } from "../panels/Picker.tsx";
import { Costs, Provenance } from "../panels/Provenance.tsx";
import { ScenarioDrawer } from "../panels/ScenarioDrawer.tsx";
import { SelectedWake } from "../panels/SelectedWake.tsx";
import { ShareDialog } from "../panels/ShareDialog.tsx";
import { SideStatuses } from "../panels/SideStatus.tsx";
import { Transport } from "../panels/Transport.tsx";
import { isComputing } from "../state/selectors.ts";
import { Header, type Opened } from "./Header.tsx";
import { handleKey } from "./keyboard.ts";

const Story = lazy(() => import("../panels/Story.tsx"));

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
      {opened === "help" && <HelpDialog onClose={close} />}
    </>
  );
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
              <Headline />
            </div>
            <HerdSentence />
            <KnobStrip />
            <div className="stage">
              <div className="column">
                <Machine />
                <SelectedWake />
                <Suspense>
                  <Story />
                </Suspense>
              </div>
              <div className="column">
                <Latency />
                <Provenance />
              </div>
            </div>
            <Costs />
          </>
        )}
      </main>
      {drawer && <ScenarioDrawer onClose={onCloseDrawer} />}
      {!empty && <Transport />}
    </div>
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
  const title = useSelect((state) => state.entry.title);
  const source = useSelect((state) => state.entry.source);
  const cpus = useSelect((state) => state.sides.a.shown?.meta.cpus);
  const computing = useSelect(isComputing);
  const primary = useSelect((state) => state.entry.knobs[0]);
  const { catalogue } = usePage();
  const label = catalogue.knobs.find((knob) => knob.path === primary)?.label;
  return (
    <header className="question">
      <h1 data-testid="question">{title}</h1>
      <p className="muted">
        {cpus === undefined ? (computing ? "Computing the first run" : "No run yet") : `${cpus} CPUs, simulated twice with the same draws`}
        {label === undefined ? "" : `: only ${label} differs`}. {source !== "" && <span className="chip">{source}</span>}
      </p>
    </header>
  );
}
