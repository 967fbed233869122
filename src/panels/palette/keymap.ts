// The keyboard map: only keys that work. The help shows it, and the palette presses its keys.

/** A key that can be pressed for the viewer, and what that does. */
export interface Command {
  /** The printed form of the key: "⇧ A". */
  readonly key: string;
  readonly name: string;
  /** Other words it is found by. */
  readonly also: string;
}

export interface KeyRow {
  readonly keys: readonly string[];
  readonly does: string;
  /**
   * What each of its keys does, where `does` speaks of several; none for what no key press can do
   * alone.
   */
  readonly names?: readonly string[];
  /** Other words that the palette finds the row's commands by. */
  readonly also?: string;
}

export type KeyGroup = readonly [group: string, rows: readonly KeyRow[]];

export const KEYS: readonly KeyGroup[] = [
  [
    "Search",
    [
      {
        keys: ["/", "Ctrl K"],
        does: "find anything by its name; ↵ goes there, ⇧ ↵ to the one before",
        names: [],
      },
      { keys: ["?"], does: "this help", names: ["keyboard help"], also: "shortcuts keys map" },
    ],
  ],
  [
    "Time axis",
    [
      {
        keys: ["W", "S"],
        does: "zoom in, zoom out: at the pointer over the lanes, else at the playhead; also ↑ ↓ and Ctrl+wheel",
        names: ["zoom in", "zoom out"],
      },
      {
        keys: ["A", "D"],
        does: "earlier, later; also Shift with ← →",
        names: ["move the view earlier", "move the view later"],
      },
      { keys: ["0"], does: "whole run", names: ["show the whole run"] },
      {
        keys: ["F"],
        does: "centre the selection or the playhead; again to fit; before a projector: the stage alone",
      },
      {
        keys: ["double-click"],
        does: "on a lane: fit the wake-up or the stretch under the pointer",
        names: [],
      },
    ],
  ],
  [
    "Area",
    [
      { keys: ["drag"], does: "selects a stretch and CPUs; on the ruler: all CPUs", names: [] },
      {
        keys: ["M"],
        does: "the area of the selected wake-up: its wait on its CPU; also R",
        names: ["area of the selected wake-up"],
      },
      { keys: ["⇧ drag"], does: "earlier, later; on the ruler: moves the playhead", names: [] },
    ],
  ],
  [
    "Markers",
    [
      {
        keys: ["⇧ A", "⇧ B"],
        does: "marker “from”, marker “to” at the playhead; the ruler shows what lies between",
        names: ["marker “from” at the playhead", "marker “to” at the playhead"],
      },
      {
        keys: ["⇧ M"],
        does: "markers at both ends of the chosen area, or of the selected wake-up",
        names: ["markers around the area or the selection"],
      },
      { keys: ["Del"], does: "remove the markers" },
    ],
  ],
  [
    "Steps",
    [
      { keys: ["→"], does: "next step; also PgDn", names: ["next step"] },
      { keys: ["←"], does: "step before; also PgUp", names: ["step before"] },
    ],
  ],
  [
    "Lanes",
    [
      {
        keys: ["T"],
        does: "keep the lane under the pointer or with the focus on top, or release it; also a click on its number",
        names: ["keep the lane on top"],
      },
      {
        keys: ["Alt ↑", "Alt ↓"],
        does: "moves the lane with the focus among the lanes on top",
        names: [],
      },
      {
        keys: ["↵"],
        does: "on a group’s strip: unfold, fold; also → and ←, and a click",
        names: [],
      },
    ],
  ],
  [
    "Playing",
    [
      { keys: ["Space"], does: "play, pause" },
      {
        keys: ["J", "K"],
        does: "one event back, one event on",
        names: ["one event back", "one event on"],
      },
      {
        keys: [",", "."],
        does: "the same on one CPU: the one pointed at or focused, or the selected wake-up's",
        names: ["one event back on one CPU", "one event on on one CPU"],
      },
      { keys: ["-", "="], does: "slower, faster", names: ["play slower", "play faster"] },
    ],
  ],
  [
    "Wake-ups",
    [
      { keys: ["L"], does: "worst wake-up, then the next worst" },
      { keys: ["⇧ L"], does: "the one before", names: ["next better wake-up"] },
      {
        keys: ["[", "]"],
        does: "along causes: waker, lock holder, IPI sender, pusher, refill; back",
        names: ["to the cause", "back from the cause"],
      },
      {
        keys: ["Ctrl [", "Ctrl ]"],
        does: "another of several causes",
        names: ["the cause before it", "the next cause"],
      },
      { keys: ["Esc"], does: "clear the area, then the markers, then the selection" },
    ],
  ],
  [
    "Comparison",
    [
      { keys: ["\\"], does: "both sides, or one" },
      { keys: ["⇧ \\"], does: "A beside B, or A over B" },
      { keys: ["X"], does: "A and B exchange what they run", also: "swap flip sides" },
      { keys: ["⇧ X"], does: "first instant at which A and B differ" },
      {
        keys: ["G"],
        does: "each side’s previous run, stippled under its lanes where it was busy, and its figures: show, hide",
        also: "ghost before overlay",
      },
      { keys: ["⇧ G"], does: "A stippled under B: show, hide", also: "ghost compare overlay" },
      {
        keys: ["V"],
        does: "the next variant as a strip below A and B; two at most",
        names: ["next variant as a strip"],
        also: "add compare third",
      },
      {
        keys: ["⇧ V"],
        does: "all variants: a picture and two figures each",
        also: "small multiples tiles overview",
      },
      { keys: ["Tab ⇥"], does: "moves between controls", names: [] },
      {
        keys: ["Ctrl Z", "Ctrl ⇧ Z"],
        does: "undo, redo what changed the runs: a knob, a variant, a strip, the text, a write at the playhead",
        names: ["undo", "redo"],
        also: "take back revert history change",
      },
      {
        keys: ["Ctrl ↵"],
        does: "the next seed on both sides",
        also: "random reroll dice run again",
      },
    ],
  ],
  [
    "Page",
    [
      {
        keys: ["B"],
        does: "knobs and results: hide, show; also Ctrl B",
        names: ["knobs and results: hide, show"],
        also: "rail left edge sidebar",
      },
      { keys: ["Q"], does: "answers: hide, show", also: "dock right edge why story numbers" },
      { keys: ["P"], does: "projector theme on, off" },
      { keys: ["Z"], does: "the lab, or the guided page", also: "knobs tools expert simple" },
      {
        keys: ["Ctrl V"],
        does: "paste cpu.max, a Pod, cyclictest …: opens a scenario made from it",
        names: [],
      },
      { keys: ["Ctrl S"], does: "save the scenario as a file", also: "export download json" },
      {
        keys: ["Ctrl ⇧ S"],
        does: "save a picture, a film or the run",
        also: "export svg png pdf webm gif image screenshot video print trace perfetto ftrace",
      },
    ],
  ],
];

/** Every key of the map that does something by itself. */
export const COMMANDS: readonly Command[] = KEYS.flatMap(([, rows]) =>
  rows.flatMap(({ keys, does, names = [does], also = "" }) =>
    names.map((name, at) => ({ key: keys[at] ?? "", name, also })),
  ),
);

/** The physical key under a sign that is no letter. */
const CODES: Readonly<Record<string, string>> = {
  "0": "Digit0",
  "?": "Slash",
  "→": "ArrowRight",
  "←": "ArrowLeft",
  "↵": "Enter",
  Space: "Space",
  Del: "Delete",
  Esc: "Escape",
  ",": "Comma",
  ".": "Period",
  "-": "Minus",
  "=": "Equal",
  "\\": "Backslash",
  "[": "BracketLeft",
  "]": "BracketRight",
};

/** What a press of a key is to the page. */
export interface Press {
  readonly code: string;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
}

/** The press that a printed key means: "Ctrl ⇧ S". Undefined for a drag. */
export function pressOf(printed: string): Press | undefined {
  const parts = printed.split(" ");
  const last = parts.at(-1) ?? "";
  const code = CODES[last] ?? (/^[A-Z]$/.test(last) ? `Key${last}` : undefined);
  if (code === undefined) return undefined;
  return {
    code,
    key: last,
    shiftKey: parts.includes("⇧") || last === "?",
    ctrlKey: parts.includes("Ctrl"),
  };
}
