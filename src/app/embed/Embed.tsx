// The stage inside another page: question, picture, steps, one switch, the numbers. The keyboard
// stays with the page around, the address is never written, and storage may be blocked.

import { useEffect, type ReactNode } from "react";
import { keepWhole } from "../../lib/whole-text.ts";
import { KnobCard } from "../../panels/knobs/Knobs.tsx";
import { fitToPaper } from "../../panels/frame/fit-to-paper.ts";
import { LinkRefused } from "../../panels/frame/LinkStrips.tsx";
import { PlayButton } from "../../panels/frame/Transport.tsx";
import { SideStatuses } from "../../panels/frame/SideStatus.tsx";
import { usePage, useSelect, type Page } from "../../panels/page/page.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import { addressOf } from "../../effects/address/address-bar.ts";
import { questionOf } from "../../state/select/selectors.ts";
import { stepsOf } from "../../scenario/step.ts";
import { StepButton, StepCount } from "../../panels/story/Caption.tsx";
import { GuidedStage } from "../guided/GuidedStage.tsx";
import { StepWords } from "../guided/StepWords.tsx";
import { useFit, useLetters } from "../guided/use-fit.ts";
import { handleKey } from "../keys/keyboard.ts";
import { obeyHost, reportSteps } from "../../effects/embed/host.ts";
import { HANDED_ON, sendToHost } from "../../effects/embed/messages.ts";
import { useMedia } from "../../lib/use-media.ts";
import { NoScenario } from "../../panels/start/NoScenario.tsx";
import "./embed.css";

export default function Embed(): ReactNode {
  const problem = useSelect((state) => state.linkProblem);
  const empty = useSelect((state) => state.entry.text.trim() === "");
  const page = usePage();
  useEffect(fitToPaper, []);
  useEffect(keepWhole, []);
  useEffect(() => obeyHost(page.store), [page]);
  useEffect(() => reportSteps(page.store), [page]);
  useHandedKeys(page);
  const low = useMedia(`(height < ${LOW_PX}px)`);
  useOneSideWhereLow(page);
  const projector = useSelect((state) => state.theme === "projector");
  const fit = useFit(projector ? FOR_A_ROOM : FOR_A_READER);
  useLetters(projector ? fit : 1);
  if (problem !== undefined) {
    return (
      <div className="embed">
        <LinkRefused
          problem={problem}
          onGallery={() => void window.open(page.root, "_blank", "noopener")}
        />
      </div>
    );
  }
  if (empty) return <NoScenario />;
  return (
    <div className="embed" data-testid="embed" data-low={low}>
      <EmbedHead />
      <main className="embed-stage">
        <SideStatuses />
        <GuidedStage room={low ? "little" : "fit"} scale={fit} />
        <StepWords />
      </main>
      <footer className="embed-foot">
        <EmbedSteps />
        <PlayButton />
        <EmbedKnob />
      </footer>
    </div>
  );
}

/**
 * Sizes at which letters have their own size. The projector's are one and a half times as large: a
 * small frame takes that back, and then has the letters of the other themes.
 */
const FOR_A_ROOM = { width: 1_280, height: 720, least: 2 / 3, most: 1 };
const FOR_A_READER = { width: 800, height: 600, least: 0.75, most: 1 };

/** The way to the step before and to the next one. */
function EmbedSteps(): ReactNode {
  const has = useSelect((state) => stepsOf(state.entry).length > 0);
  return (
    has && (
      <nav className="embed-steps" aria-label="Steps">
        <StepButton direction={-1} />
        <StepCount />
        <StepButton direction={1} />
      </nav>
    )
  );
}

/** The question, and the way to the whole lab with what is on screen. */
function EmbedHead(): ReactNode {
  const { root } = usePage();
  const title = useSelect(questionOf);
  const address = useSelect((state) => addressOf(state, root));
  return (
    <header className="embed-head">
      <h1 className="embed-title" data-testid="question">
        {title}
      </h1>
      <a
        className="embed-more"
        href={address}
        target="_blank"
        rel="noopener"
        data-testid="embed-open"
      >
        Open in schedscope
      </a>
    </header>
  );
}

/** The switch the address asks for, or the scenario's first. */
function EmbedKnob(): ReactNode {
  const { catalogue } = usePage();
  const listed = useSelect((state) => state.entry.knobs[0]);
  const asked = new URLSearchParams(window.location.search).get("knob");
  const path = asked !== null && findKnob(catalogue.knobs, asked) !== undefined ? asked : listed;
  return path !== undefined && <KnobCard path={path} />;
}

/** A frame lower than this has rows for one side only, and no room for chips and legend, CSS px. */
const LOW_PX = 480;

/** A low window has no room for A over B: it shows A alone, with the switch to B. */
function useOneSideWhereLow({ store }: Page): void {
  useEffect(() => {
    if (window.innerHeight < LOW_PX && !store.getState().onlyOneSide)
      store.dispatch({ type: "one_side_toggled" });
  }, [store]);
}

/**
 * `?keys=all` gives the embed the lab's keyboard; else what a clicker sends goes to the page
 * around, and so does the focus after a click.
 */
function useHandedKeys(page: Page): void {
  useEffect(() => {
    const all = new URLSearchParams(window.location.search).get("keys") === "all";
    const isField = (target: EventTarget | null): boolean =>
      target instanceof Element && target.closest("input, select, textarea") !== null;
    const key = (event: KeyboardEvent): void => {
      if (all) return handleKey(event, page, {});
      if (
        !HANDED_ON.includes(event.code) ||
        isField(event.target) ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      sendToHost({ schedscope: "key", code: event.code });
    };
    const release = ({ target }: PointerEvent): void => {
      if (all || isField(target)) return;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      sendToHost({ schedscope: "released" });
    };
    window.addEventListener("keydown", key);
    window.addEventListener("pointerup", release);
    return () => {
      window.removeEventListener("keydown", key);
      window.removeEventListener("pointerup", release);
    };
  }, [page]);
}
