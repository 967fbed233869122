// The stage before an audience: the picture, one sentence, nothing else. A clicker walks the steps;
// a step that has a bet shows the bet before its answer. The speaker's window follows by a channel
// of its own.

import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { keepWhole } from "../../lib/whole-text.ts";
import { fitToPaper } from "../../panels/frame/fit-to-paper.ts";
import { LinkRefused } from "../../panels/frame/LinkStrips.tsx";
import { SideStatuses } from "../../panels/frame/SideStatus.tsx";
import { OfflineMark } from "../../panels/offline/OfflineMark.tsx";
import { StepDots } from "../../panels/story/StepDots.tsx";
import { Icon } from "../../panels/widgets/Icon.tsx";
import { usePage, useSelect, type Page } from "../../panels/page/page.ts";
import { keeperOf } from "../../effects/offline/site-copy.ts";
import { keepChoice, keptChoice } from "../../effects/storage/stored-choice.ts";
import { addressOf } from "../../effects/address/address-bar.ts";
import type { LinkProblem } from "../../links/link-types.ts";
import { questionOf } from "../../state/select/selectors.ts";
import { captionSaid, neighbourStep } from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import type { State } from "../../state/shape/state.ts";
import { linkSpeaker, type SpeakerLink } from "../../effects/talk/speaker-link.ts";
import type { TalkNews } from "../../effects/talk/talk-channel.ts";
import {
  reduceTalk,
  talkKey,
  talkStart,
  type TalkAction,
  type TalkDeed,
  type TalkState,
} from "./talk-state.ts";
import { Bet } from "../guided/Bet.tsx";
import { GuidedStage } from "../guided/GuidedStage.tsx";
import { StepWords } from "../guided/StepWords.tsx";
import { useFit } from "../guided/use-fit.ts";
import { nearestLesson } from "../lesson/lessons.ts";
import { useMedia } from "../../lib/use-media.ts";
import { NoScenario } from "../../panels/start/NoScenario.tsx";
import "./talk.css";

export default function Talk(): ReactNode {
  const page = usePage();
  const problem = useSelect((state) => state.linkProblem);
  const empty = useSelect((state) => state.entry.text.trim() === "");
  if (problem !== undefined)
    return (
      <LinkRefused
        problem={withLesson(problem)}
        onGallery={() => window.location.assign(page.root)}
      />
    );
  if (empty) return <NoScenario />;
  return <StepsTalk page={page} />;
}

/** A lesson is a talk, too: its name may be the one that was meant. */
function withLesson(problem: LinkProblem): LinkProblem {
  const lesson =
    problem.near === undefined && problem.slug !== undefined
      ? nearestLesson(problem.slug)
      : undefined;
  return lesson === undefined
    ? problem
    : { ...problem, near: `present/${lesson}/${window.location.hash}` };
}

function StepsTalk({ page }: { readonly page: Page }): ReactNode {
  const deck = useMemo(() => stepsDeck(page), [page]);
  return <TalkScreen page={page} deck={deck} />;
}

/** What a talk walks through: the steps of a scenario, or the scenes of a lesson. */
export interface Deck {
  readonly title: (state: State) => string;
  /** What the speaker reads of each slide. */
  readonly slides: (state: State) => TalkNews["steps"];
  /** The current slide, from 0; -1: none. */
  readonly at: (state: State) => number;
  readonly next: (state: State) => number | undefined;
  readonly back: (state: State) => number | undefined;
  readonly open: (index: number) => void;
  /** The step of the open scenario that a slide shows, from 0; undefined: another's. */
  readonly stepOf: (state: State, index: number) => number | undefined;
  /** The address that the talk is left for. */
  readonly home: (state: State) => string;
  readonly homeLabel: string;
  /** One dot for each slide; a press opens the slide. The current slide is marked. */
  readonly dots: ReactNode;
  /** Content above the picture and the step's caption. */
  readonly head?: ReactNode;
}

const NO_CHOICES: readonly string[] = [];

function stepsDeck({ store, root }: Page): Deck {
  return {
    title: questionOf,
    slides: (state) =>
      stepsOf(state.entry).map((step) => ({
        caption: captionSaid(state, step),
        sentence: "",
        notes: step.note === undefined ? [] : [step.note],
        bet: step.bet ?? "",
        choices: NO_CHOICES,
      })),
    at: (state) => state.step.index ?? -1,
    next: (state) => neighbourStep(state, 1),
    back: (state) => neighbourStep(state, -1),
    open: (index) => store.dispatch({ type: "step_opened", index }),
    stepOf: (_state, index) => index,
    home: (state) => addressOf(state, root),
    homeLabel: "Lab",
    dots: <StepDots />,
  };
}

/** The bet of the current slide. */
function betOn(deck: Deck, state: State, at = deck.at(state)): string | undefined {
  const bet = deck.slides(state)[at]?.bet ?? "";
  return bet === "" ? undefined : bet;
}

export function TalkScreen({
  page,
  deck,
}: {
  readonly page: Page;
  readonly deck: Deck;
}): ReactNode {
  const [talk, change] = useReducer(
    reduceTalk,
    betOn(deck, page.store.getState()) !== undefined,
    talkStart,
  );
  const act = useAct(page, deck, talk, change);
  const openSpeaker = useSpeaker(page, deck, talk, act);
  useKeys(act, openSpeaker);
  useCopy(page);
  const bet = useSelect((state) => betOn(deck, state));
  const title = useSelect(deck.title);
  useEffect(fitToPaper, []);
  useEffect(keepWhole, []);
  const phone = useMedia("(width <= 37.5rem)");
  // A phone on its side, held in a hand: at a projector's size the picture would have no room.
  const low = useMedia("(height <= 30rem)");
  const projector = useSelect((state) => state.theme === "projector");
  const screen = useRef<HTMLDivElement>(null);
  const fit = useFit(ROOM);
  useEffect(() => {
    // The projector's theme is one and a half times as large as the others.
    const scale = (low ? 1 : 1.5 * fit) * talk.scale;
    document.documentElement.style.setProperty("--scale", String(scale));
  }, [low, fit, talk.scale]);
  const covered = talk.betting && bet !== undefined;
  return (
    <div className="talk" data-testid="talk" data-betting={covered} ref={screen}>
      <main className="talk-stage">
        <h1 className="talk-title">{title}</h1>
        <SideStatuses />
        {deck.head}
        <GuidedStage
          covered={covered}
          room={phone || low ? "little" : "fit"}
          theme={low && projector ? "light" : undefined}
          scale={low ? 1 : fit * Math.sqrt(talk.scale)}
        />
        <StepWords />
        {covered && <TalkBet deck={deck} bet={bet} title={title} />}
      </main>
      <footer className="talk-foot">
        {deck.dots}
        <TalkButtons deck={deck} act={act} onSpeaker={openSpeaker} />
      </footer>
      {talk.halo && <Halo over={screen} />}
      {talk.black && (
        <div className="talk-black" data-testid="talk-black" aria-label="Black screen" />
      )}
    </div>
  );
}

interface BetProps {
  readonly deck: Deck;
  /** The question that is bet on. */
  readonly bet: string;
  readonly title: string;
}

/** The bet, over the picture that answers it: the room raises hands. */
function TalkBet({ deck, bet, title }: BetProps): ReactNode {
  const choices = useSelect((state) => deck.slides(state)[deck.at(state)]?.choices ?? NO_CHOICES);
  return (
    <Bet question={bet} choices={choices} title={title} testId="talk-bet">
      <p className="bet-hint">Place your bet. The next press shows what happens.</p>
    </Bet>
  );
}

/** The screen that the projector's letters were made for; a larger one has larger letters. */
const ROOM = { width: 1_600, height: 900, least: 2 / 3, most: 2 };

/** A talk that plays from the start is never at rest, ms. */
const REST_MS = 5_000;

/**
 * Keeps a copy of the site once the picture's own scripts and runs have come: the next talk may
 * have no network.
 */
function useCopy({ root }: Page): void {
  useEffect(() => {
    const late = new Promise((done) => setTimeout(done, REST_MS));
    void Promise.race([window.schedscope?.whenIdle(), late]).then(keeperOf(root).begin);
  }, [root]);
}

type Act = (deed: TalkDeed, to?: number) => void;

/** What a key, a button or the speaker's window does. */
function useAct(
  { store }: Page,
  deck: Deck,
  talk: TalkState,
  change: (action: TalkAction) => void,
): Act {
  return useCallback(
    (deed, to) => {
      const state = store.getState();
      const go = (index: number | undefined): void => {
        if (index === undefined || deck.slides(state)[index] === undefined) return;
        deck.open(index);
        change({ type: "arrived", bets: betOn(deck, state, index) !== undefined });
      };
      switch (deed) {
        case "next":
          if (talk.black) change({ type: "blackened" });
          else if (talk.betting && betOn(deck, state) !== undefined) change({ type: "revealed" });
          else go(deck.next(state));
          return;
        case "back":
          if (talk.black) return change({ type: "blackened" });
          return go(deck.back(state));
        case "first":
          return go(0);
        case "last":
          return go(deck.slides(state).length - 1);
        case "again":
          change({ type: "rescaled" });
          return go(Math.max(0, deck.at(state)));
        case "black":
          return change({ type: "blackened" });
        case "larger":
        case "smaller":
          return change({ type: "scaled", by: deed === "larger" ? 1 : -1 });
        case "halo":
          return change({ type: "halo_toggled" });
        case "play":
          return store.dispatch({ type: state.playback.playing ? "paused" : "played" });
        case "full":
          void (
            document.fullscreenElement === null
              ? document.documentElement.requestFullscreen()
              : document.exitFullscreen()
          ).catch(() => undefined);
          return;
        case "leave":
          // The browser itself ends its full screen by this key.
          if (document.fullscreenElement !== null) return;
          if (talk.black) change({ type: "blackened" });
          else window.location.assign(deck.home(state));
          return;
        case "go":
          return go(to);
      }
    },
    [store, deck, talk, change],
  );
}

function useKeys(act: (deed: TalkDeed) => void, openSpeaker: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const key = talkKey(event);
      // A control in focus keeps the keys that press it.
      const presses =
        event.target instanceof Element &&
        event.target.closest("button, a, input, select") !== null;
      if (key === undefined || (presses && (event.code === "Space" || event.code === "Enter")))
        return;
      event.preventDefault();
      if (key === "speaker") openSpeaker();
      else act(key);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [act, openSpeaker]);
}

function newsOf(state: State, deck: Deck, talk: TalkState): TalkNews {
  return {
    title: deck.title(state),
    steps: deck.slides(state),
    at: deck.at(state),
    black: talk.black,
    betting: talk.betting && betOn(deck, state) !== undefined,
  };
}

/** The picture of a slide, drawn while the talk is at rest: playing needs its frames. */
async function still(
  store: Page["store"],
  root: string,
  deck: Deck,
  slide: number,
): Promise<ImageBitmap | undefined> {
  const { stillOf } = await import("./stills.ts");
  await atRest(store);
  const state = store.getState();
  const index = deck.stepOf(state, slide);
  return index === undefined ? undefined : stillOf(state, index, window.location.origin + root);
}

/** Resolves once nothing plays. */
function atRest(store: Page["store"]): Promise<void> {
  return new Promise((done) => {
    const look = (state: State): boolean => {
      if (state.playback.playing) return false;
      done();
      return true;
    };
    if (look(store.getState())) return;
    const end = store.subscribe((state) => {
      if (look(state)) end();
    });
  });
}

const session = (): Storage => sessionStorage;

/**
 * The name of the talk's channel: the same after a reload, so that the speaker's window finds the
 * talk again.
 */
function talkId(root: string): string {
  const [how] = performance.getEntriesByType("navigation");
  const again = how instanceof PerformanceNavigationTiming && how.type !== "navigate";
  const id = (again ? keptChoice(root, session, "talk") : undefined) ?? crypto.randomUUID();
  keepChoice(root, session, "talk", id);
  return id;
}

/**
 * Sends news to the speaker's window and does what that window asks; returns the function that
 * opens the window.
 */
function useSpeaker({ store, root }: Page, deck: Deck, talk: TalkState, act: Act): () => void {
  const [id] = useState(() => talkId(root));
  const link = useRef<SpeakerLink>(undefined);
  const latest = useRef({ deck, talk, act });
  useEffect(() => {
    latest.current = { deck, talk, act };
    link.current?.send();
  }, [deck, talk, act]);
  useEffect(() => {
    const opened = linkSpeaker(
      store,
      id,
      () => newsOf(store.getState(), latest.current.deck, latest.current.talk),
      (asks) => latest.current.act(asks.ask, asks.ask === "go" ? asks.to : undefined),
      (slide) => still(store, root, latest.current.deck, slide),
    );
    link.current = opened;
    return opened?.end;
  }, [store, root, id]);
  return useCallback(
    () =>
      void window.open(
        `${root}speaker/#${id}`,
        `schedscope-speaker-${id}`,
        "popup,width=960,height=640",
      ),
    [root, id],
  );
}

interface ButtonsProps {
  readonly deck: Deck;
  readonly act: (deed: TalkDeed) => void;
  readonly onSpeaker: () => void;
}

function TalkButtons({ deck, act, onSpeaker }: ButtonsProps): ReactNode {
  const address = useSelect(deck.home);
  return (
    <nav className="talk-buttons" aria-label="Talk">
      <button
        type="button"
        className="button round"
        title="Back (PageUp)"
        aria-label="Back"
        data-testid="talk-back"
        onClick={() => act("back")}
      >
        <Icon name="previous" />
      </button>
      <button
        type="button"
        className="button round"
        title="Next (PageDown)"
        aria-label="Next"
        data-testid="talk-next"
        onClick={() => act("next")}
      >
        <Icon name="next" />
      </button>
      <button
        type="button"
        className="button"
        title="Notes, next step and clock in a window of their own (S)"
        data-testid="talk-speaker"
        onClick={onSpeaker}
      >
        Speaker
      </button>
      <button
        type="button"
        className="button"
        title="Full screen (F)"
        data-testid="talk-full"
        onClick={() => act("full")}
      >
        Full screen
      </button>
      <a className="button" href={address} title="Leave the talk (Escape)" data-testid="talk-leave">
        {deck.homeLabel}
      </a>
      <OfflineMark />
    </nav>
  );
}

/** A ring around the pointer, for a room that cannot see the arrow. */
function Halo({ over }: { readonly over: RefObject<HTMLDivElement | null> }): ReactNode {
  const ring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const screen = over.current;
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      if (ring.current !== null) ring.current.style.translate = `${clientX}px ${clientY}px`;
    };
    screen?.addEventListener("pointermove", follow);
    return () => screen?.removeEventListener("pointermove", follow);
  }, [over]);
  return <div className="talk-halo" ref={ring} data-testid="talk-halo" />;
}
