// What a talk knows beside the lab's state: whether the screen is black, whether a bet still covers
// its answer, how large the text is.

/** State of the talk on the audience's screen. */
export interface TalkState {
  readonly black: boolean;
  /** The step's bet covers the picture: the next press of the clicker reveals it. */
  readonly betting: boolean;
  /** The scale of the text; 1 is the projector's own size. */
  readonly scale: number;
  /** A ring follows the pointer. */
  readonly halo: boolean;
}

export type TalkAction =
  | { readonly type: "blackened" }
  | { readonly type: "halo_toggled" }
  | { readonly type: "scaled"; readonly by: 1 | -1 }
  /** Back to the projector's own size. */
  | { readonly type: "rescaled" }
  /** The talk reached another step, or opened its current step again. */
  | { readonly type: "arrived"; readonly bets: boolean }
  | { readonly type: "revealed" };

const SCALES = [0.7, 0.85, 1, 1.2, 1.45, 1.75] as const;

export function talkStart(bets: boolean): TalkState {
  return { black: false, betting: bets, scale: 1, halo: false };
}

export function reduceTalk(state: TalkState, action: TalkAction): TalkState {
  switch (action.type) {
    case "blackened":
      return { ...state, black: !state.black };
    case "halo_toggled":
      return { ...state, halo: !state.halo };
    case "scaled": {
      const index = SCALES.findIndex((scale) => scale === state.scale) + action.by;
      return { ...state, scale: SCALES[index] ?? state.scale };
    }
    case "rescaled":
      return { ...state, scale: 1 };
    case "arrived":
      return { ...state, betting: action.bets, black: false };
    case "revealed":
      return { ...state, betting: false };
  }
}

/**
 * What a talk does. `again`: the step's start, in the size that the talk began with; `go`: to a
 * step.
 */
export type TalkDeed =
  | "next"
  | "back"
  | "first"
  | "last"
  | "go"
  | "black"
  | "larger"
  | "smaller"
  | "halo"
  | "again"
  | "full"
  | "play"
  | "leave";

/** A clicker sends PageDown and PageUp, and B or a full stop for black. */
const KEYS: Readonly<Record<string, TalkDeed | "speaker">> = {
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
  F5: "full",
  KeyF: "full",
  KeyS: "speaker",
  Space: "play",
  Escape: "leave",
};

/** By physical key; with a chord the key is the browser's. */
export function talkKey({
  code,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, "code" | "ctrlKey" | "metaKey" | "altKey">):
  TalkDeed | "speaker" | undefined {
  return ctrlKey || metaKey || altKey ? undefined : KEYS[code];
}
