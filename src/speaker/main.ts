// The speaker's window: the slide on the screen, the next slide, the notes, the time. The window
// runs no simulation; the talk sends it news.

import {
  channelOf,
  readClosed,
  readNews,
  readStill,
  type SpeakerAsks,
  type SpokenStep,
  type TalkNews,
} from "../effects/talk/talk-channel.ts";
import { keepStills } from "./stills.ts";
import "./speaker.css";

const SECOND_MS = 1_000;
/**
 * Those of the talk, whose window seldom has the focus; full screen a browser grants to that window
 * alone.
 */
const KEYS: Readonly<Record<string, Exclude<SpeakerAsks["ask"], "news" | "go" | "still">>> = {
  PageDown: "next",
  ArrowRight: "next",
  ArrowDown: "next",
  Enter: "next",
  KeyN: "next",
  PageUp: "back",
  ArrowLeft: "back",
  ArrowUp: "back",
  Home: "first",
  End: "last",
  KeyB: "black",
  Period: "black",
  Equal: "larger",
  NumpadAdd: "larger",
  Minus: "smaller",
  NumpadSubtract: "smaller",
  KeyH: "halo",
  Digit0: "again",
  Numpad0: "again",
  Space: "play",
};

/** An element with a text, which is never markup. */
function element(tag: string, name: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.dataset["testid"] = name;
  made.textContent = text;
  return made;
}

/** The question of a step's bet, and its choices below. */
function betOf(step: SpokenStep | undefined): readonly HTMLElement[] {
  if (step === undefined || step.bet === "") return [];
  const question = element("p", "speaker-question", `Bet: ${step.bet}`);
  if (step.choices.length === 0) return [question];
  const list = element("ul", "speaker-choices");
  list.append(...step.choices.map((choice) => element("li", "speaker-choice", choice)));
  return [question, list];
}

/** What the window shows of a step. */
function stepCard(
  heading: string,
  name: string,
): {
  readonly card: HTMLElement;
  readonly picture: HTMLCanvasElement;
  readonly show: (step: SpokenStep | undefined, end: string) => void;
} {
  const card = element("section", `speaker-${name}`);
  const caption = element("p", `speaker-${name}-caption`);
  const sentence = element("p", `speaker-${name}-sentence`);
  const bet = element("div", `speaker-${name}-bet`);
  const notes = element("div", `speaker-${name}-notes`);
  const picture = document.createElement("canvas");
  picture.className = "speaker-picture";
  picture.dataset["testid"] = `speaker-${name}-picture`;
  picture.hidden = true;
  card.append(element("h2", "speaker-heading", heading), picture, caption, sentence, bet, notes);
  const show = (step: SpokenStep | undefined, end: string): void => {
    caption.textContent = step?.caption ?? end;
    sentence.textContent = step?.sentence ?? "";
    bet.replaceChildren(...betOf(step));
    notes.replaceChildren(...(step?.notes ?? []).map((note) => element("p", "speaker-note", note)));
  };
  return { card, picture, show };
}

/** Time since the first press, beside how long the talk may take. */
function clock(): { readonly row: HTMLElement; readonly begin: () => void } {
  const row = element("div", "speaker-clock");
  const told = element("output", "speaker-elapsed", "0:00");
  const label = element("label", "speaker-target", "of ");
  const target = document.createElement("input");
  target.type = "number";
  target.min = "1";
  target.max = "600";
  target.value = "20";
  label.append(target, " minutes");
  row.append(told, label);
  let since: number | undefined;
  const tick = (): void => {
    if (since === undefined) return;
    const seconds = Math.floor((performance.now() - since) / SECOND_MS);
    told.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    row.dataset["late"] = String(seconds > Number(target.value) * 60);
  };
  return {
    row,
    begin: () => {
      if (since !== undefined) return;
      since = performance.now();
      setInterval(tick, SECOND_MS);
    },
  };
}

interface Deck {
  news: TalkNews;
  /**
   * The slide of the notes while the audience's picture is held; undefined: the notes follow the
   * picture.
   */
  held: number | undefined;
}

const CLOSED =
  "The talk’s window was closed or reloaded. A talk that is loaded again is found again; else press S in a talk for a new window.";

const NO_NEWS: TalkNews = {
  title: "Waiting for the talk …",
  steps: [],
  at: -1,
  black: false,
  betting: false,
};

type Deed = readonly [words: string, name: string, title: string, deed: () => void];

function buttonsOf(deeds: readonly Deed[]): HTMLElement {
  const buttons = element("nav", "speaker-buttons");
  for (const [words, name, hint, deed] of deeds) {
    const button = element("button", `speaker-do-${name}`, words);
    button.title = hint;
    button.addEventListener("click", deed);
    buttons.append(button);
  }
  return buttons;
}

/** Calls `act` for a key of the talk. A field of text keeps all keys. */
function onTalkKey(act: (asked: (typeof KEYS)[string]) => void): void {
  window.addEventListener("keydown", (event) => {
    const asked = KEYS[event.code];
    // A button in focus keeps the keys that press it.
    if (
      event.target instanceof HTMLButtonElement &&
      (event.code === "Space" || event.code === "Enter")
    )
      return;
    if (
      asked === undefined ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target instanceof HTMLInputElement
    )
      return;
    event.preventDefault();
    act(asked);
  });
}

function open(root: HTMLElement, channel: BroadcastChannel): void {
  const deck: Deck = { news: NO_NEWS, held: undefined };
  const ask = (message: SpeakerAsks): void => channel.postMessage(message);
  const title = element("h1", "speaker-title");
  const now = stepCard("On the screen", "now");
  const next = stepCard("Next", "next");
  const time = clock();
  const stills = keepStills(ask);
  const draw = (): void => {
    const { news, held } = deck;
    const at = held ?? news.at;
    title.textContent =
      news.steps.length === 0 ? news.title : `${news.title} · ${at + 1} of ${news.steps.length}`;
    now.show(news.steps[at], "No step");
    next.show(news.steps[at + 1], "The end");
    stills.show(now.picture, at);
    stills.show(next.picture, at + 1);
    stills.want([at, at + 1], news);
    root.dataset["black"] = String(news.black);
    root.dataset["held"] = String(held !== undefined);
    root.dataset["betting"] = String(news.betting);
  };
  const walk = (by: 1 | -1): void => {
    time.begin();
    if (deck.held === undefined) return ask({ ask: by === 1 ? "next" : "back" });
    deck.held = Math.max(0, Math.min(deck.news.steps.length - 1, deck.held + by));
    draw();
  };
  const hold = (): void => {
    const { held } = deck;
    deck.held = held === undefined ? Math.max(0, deck.news.at) : undefined;
    if (held !== undefined) ask({ ask: "go", to: held });
    draw();
  };
  const buttons = buttonsOf([
    ["Back", "back", "PageUp", () => walk(-1)],
    ["Next", "next", "PageDown", () => walk(1)],
    [
      "Hold the screen",
      "hold",
      "The audience's picture stays while you walk the notes; pressed again, it follows",
      hold,
    ],
    ["Black", "black", "B", () => ask({ ask: "black" })],
    ["Start of this step", "again", "0: when anything went wrong", () => ask({ ask: "again" })],
  ]);
  const closed = element("p", "speaker-closed");
  closed.setAttribute("role", "alert");
  root.replaceChildren(closed, title, time.row, now.card, next.card, buttons);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    // The talk's window may return from the browser's history. Then it sends news again, which ends
    // the notice.
    const still = readStill(data);
    if (still !== undefined) {
      stills.take(still);
      draw();
      return;
    }
    closed.textContent = readClosed(data) ? CLOSED : "";
    deck.news = readNews(data) ?? deck.news;
    draw();
  };
  onTalkKey((asked) => {
    if (asked === "next" || asked === "back") walk(asked === "next" ? 1 : -1);
    else ask({ ask: asked });
  });
  draw();
  ask({ ask: "news" });
}

const root = document.getElementById("speaker");
const channel = channelOf(window.location.hash.slice(1));
if (root !== null && channel !== undefined) open(root, channel);
else {
  const told = element(
    "p",
    "speaker-alone",
    "This window belongs to a talk. Open it from one: press S there.",
  );
  root?.replaceChildren(element("h1", "speaker-title", "Speaker’s window"), told);
}
