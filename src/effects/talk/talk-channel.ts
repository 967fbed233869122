// What a talk and its speaker's window say to each other, through a channel whose name only the two
// windows know.

/** One step as the speaker reads it. */
export interface SpokenStep {
  readonly caption: string;
  /**
   * What the audience reads below the caption: the answer of a bet, the goal of a puzzle; "" is
   * nothing.
   */
  readonly sentence: string;
  /** A paragraph each. */
  readonly notes: readonly string[];
  readonly bet: string;
  readonly choices: readonly string[];
}

/** What the talk sends: its steps, and which one is open. */
export interface TalkNews {
  readonly title: string;
  readonly steps: readonly SpokenStep[];
  /** From 0; -1 is none. */
  readonly at: number;
  readonly black: boolean;
  /** The bet covers the picture. */
  readonly betting: boolean;
}

/** The talk's window goes: it was closed, reloaded, or leads elsewhere. */
export const TALK_CLOSED = { talk: "closed" } as const;

/** Whether the message says that the talk's window goes. */
export function readClosed(data: unknown): boolean {
  return record(data)["talk"] === TALK_CLOSED.talk;
}

/** The speaker's window asks. */
export type SpeakerAsks =
  /** What the talk shows now. */
  | { readonly ask: "news" }
  | { readonly ask: "next" }
  | { readonly ask: "back" }
  /** The step's start, as if one had just come to it. */
  | { readonly ask: "again" }
  | { readonly ask: "black" }
  | { readonly ask: "first" }
  | { readonly ask: "last" }
  /** Size of the text. */
  | { readonly ask: "larger" }
  | { readonly ask: "smaller" }
  /** A ring around the talk's pointer. */
  | { readonly ask: "halo" }
  | { readonly ask: "play" }
  /** From 0. */
  | { readonly ask: "go"; readonly to: number }
  /** The picture of a slide, from 0. */
  | { readonly ask: "still"; readonly to: number };

/** The picture of a slide, which the talk's window has drawn. */
export interface Still {
  /** From 0. */
  readonly slide: number;
  readonly picture: ImageBitmap;
}

const NAMED = [
  "news",
  "next",
  "back",
  "again",
  "black",
  "first",
  "last",
  "larger",
  "smaller",
  "halo",
  "play",
] as const;
const STEPS_MAX = 99;
const TEXT_MAX = 2_000;
const TEXTS_MAX = 20;

/**
 * The channel of a talk, by the name in the speaker's address; undefined for what is no such name.
 */
export function channelOf(id: string): BroadcastChannel | undefined {
  return /^[0-9a-f-]{36}$/.test(id) ? new BroadcastChannel(`schedscope-talk-${id}`) : undefined;
}

/** What the speaker's window asks; undefined for any other message. */
export function readAsks(data: unknown): SpeakerAsks | undefined {
  const { ask, to } = record(data);
  if (ask === "go" || ask === "still") return isSlide(to) ? { ask, to } : undefined;
  const named = NAMED.find((each) => each === ask);
  return named === undefined ? undefined : { ask: named };
}

/** Most dots of a picture in one direction. */
const STILL_MAX = 2_000;

/** Reads the picture of a slide; undefined for any other message. */
export function readStill(data: unknown): Still | undefined {
  const { still: slide, picture } = record(data);
  if (!isSlide(slide) || !(picture instanceof ImageBitmap)) return undefined;
  const fits = Math.max(picture.width, picture.height) <= STILL_MAX;
  return fits ? { slide, picture } : undefined;
}

function isSlide(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < STEPS_MAX;
}

/** Reads the talk's news; undefined for any other message. */
export function readNews(data: unknown): TalkNews | undefined {
  const { title, steps, at, black, betting } = record(data);
  if (typeof title !== "string" || typeof at !== "number" || !Array.isArray(steps))
    return undefined;
  const spoken = steps.slice(0, STEPS_MAX).map((each: unknown) => {
    const { caption, sentence, notes, bet, choices } = record(each);
    return {
      caption: text(caption),
      sentence: text(sentence),
      notes: texts(notes),
      bet: text(bet),
      choices: texts(choices),
    };
  });
  return {
    title: text(title),
    steps: spoken,
    at,
    black: black === true,
    betting: betting === true,
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, TEXT_MAX) : "";
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.slice(0, TEXTS_MAX).map(text) : [];
}
