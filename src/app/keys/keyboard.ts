// The keyboard map (in words: panels/palette/keymap.ts). By physical key, so that letters lie in
// the same place everywhere. No letter acts while a field has the focus or a dialog is open.

import { saveScenario } from "../../panels/editor/save-scenario.ts";
import { stepInHistory } from "../../panels/history/step-in-history.ts";
import { lookAtDivergence } from "../../panels/moments/go-to-divergence.ts";
import { stepEvent } from "../../panels/moments/step-events.ts";
import type { Page } from "../../panels/page/page.ts";
import { bringAnswer, goToWorst } from "../../panels/moments/wake-selection.ts";
import { selectedStretch } from "../../state/select/selection.ts";
import { nextVariant, TILES_FROM } from "../../state/compare/strips.ts";
import { domainNs, knobValue, shownViewport, speedOf } from "../../state/select/selectors.ts";
import { isGuided } from "../../state/select/guided.ts";
import type { Action } from "../../state/shape/actions.ts";
import type { State } from "../../state/shape/state.ts";
import { otherSide } from "../../scenario/sides.ts";
import { neighbourStep } from "../../state/steps/resolve.ts";
import { clearLayer, handleLaneKey, walk } from "./lane-keys.ts";
import { handleTimelineKey, pointerShare, SPEEDS } from "../../timeline/index.ts";

/** What the frame around the stage can open; a frame without it leaves the key alone. */
export interface KeyHost {
  readonly openHelp?: () => void;
  readonly openPalette?: () => void;
  readonly openPicture?: () => void;
  readonly openVariants?: () => void;
  readonly toggleRail?: () => void;
  readonly toggleDock?: () => void;
  /** Whether nothing but the stage is shown, and the way in and out, where there is one. */
  readonly alone?: boolean;
  readonly toggleAlone?: () => void;
  /** Forward and back where the frame has steps of its own: the scenes of a lesson. */
  readonly goStep?: (direction: 1 | -1) => void;
  /**
   * What keys may do: turn all that can be turned, look around in runs that stay as they are, or
   * walk the steps of a covered picture.
   */
  readonly takes?: "all" | "looks" | "steps";
}

/** Inputs that take no letters: a switch that was just flipped must not swallow the next key. */
const LETTERLESS = ["radio", "checkbox", "range", "file"];

/** Whether the focus is where letters are typed. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog[open]") !== null) return true;
  if (target instanceof HTMLInputElement) return !LETTERLESS.includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Whether the focused control has its own use for this key. */
function isControls(event: KeyboardEvent): boolean {
  const { target, code } = event;
  const arrow = code.startsWith("Arrow");
  // Space chooses a radio button; on the chosen one it would do nothing.
  if (target instanceof HTMLInputElement)
    return arrow || (code === "Space" && !(target.type === "radio" && target.checked));
  if (code !== "Space" || !(target instanceof HTMLElement)) return false;
  if (target.tagName === "SUMMARY") return true;
  // What a press opened, the next press closes.
  return isPressable(target) && (!byPointer || target.ariaExpanded === "true");
}

function isPressable(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
}

/**
 * Whether the focus came by a pointer. If it did, Space plays, as in a video player; Space presses
 * a control only after the viewer reached that control by Tab. The browser's :focus-visible does
 * not help: at the first key it matches a control that the pointer pressed.
 */
let byPointer = false;

/** To be heard before all others. */
export function noteWay(event: Event): void {
  if (event.type === "pointerdown") byPointer = true;
  else if (event instanceof KeyboardEvent && event.code === "Tab") byPointer = false;
}

/**
 * Keeps a key of one letter, digit or sign from everything that would act on it, where the viewer
 * switched those off; what is typed into a field stays typed. To be heard before all others.
 */
export function silenceLetter(event: KeyboardEvent): void {
  const isLetter = (event.key.length === 1 && event.code !== "Space") || event.key === "Dead";
  // What the palette presses was chosen there.
  if (
    event.isTrusted &&
    isLetter &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !isTyping(event.target)
  )
    event.stopPropagation();
}

const STEP_KEYS: Readonly<Record<string, 1 | -1>> = {
  PageDown: 1,
  ArrowRight: 1,
  PageUp: -1,
  ArrowLeft: -1,
};

export function handleKey(event: KeyboardEvent, page: Page, host: KeyHost): void {
  if (event.defaultPrevented) return;
  const done =
    event.ctrlKey || event.metaKey
      ? handleChord(event, page, host)
      : handlePlain(event, page, host);
  if (done) event.preventDefault();
}

function handleChord(event: KeyboardEvent, page: Page, host: KeyHost): boolean {
  const { store } = page;
  const state = store.getState();
  if (event.altKey || host.takes === "steps") return false;
  if (event.code === "KeyS") {
    if (event.shiftKey) host.openPicture?.();
    else saveScenario(state.entry.text);
    return true;
  }
  if (event.code === "KeyK" && document.querySelector("dialog[open]") === null) {
    host.openPalette?.();
    return true;
  }
  // Ctrl+Enter belongs to the page in a field of one line. In a text area it belongs to the text.
  if (
    isTyping(event.target) &&
    !(event.code === "Enter" && event.target instanceof HTMLInputElement)
  )
    return false;
  // Nothing is turned behind a dialog.
  if (document.querySelector("dialog[open]") !== null) return false;
  switch (event.code) {
    case "KeyZ":
      stepInHistory(page, event.shiftKey ? "redone" : "undone");
      return true;
    case "BracketLeft":
    case "BracketRight":
      // With the command key they are the browser's: back and forward.
      if (event.metaKey) return false;
      walk(store, event.code === "BracketLeft" ? -1 : 1);
      return true;
    case "KeyB":
      host.toggleRail?.();
      return true;
    case "KeyY":
      stepInHistory(page, "redone");
      return true;
    case "Enter": {
      if (host.takes === "looks") return false;
      const seed = knobValue(state, "a", "seed");
      store.dispatch({
        type: "knob_set",
        where: "both",
        path: "seed",
        value: typeof seed === "number" ? seed + 1 : 1,
        settled: true,
      });
      return true;
    }
    default:
      return false;
  }
}

function handlePlain(event: KeyboardEvent, page: Page, host: KeyHost): boolean {
  // A button that goes away leaves the focus to the page, while its dialog stays open.
  if (
    event.altKey ||
    isTyping(event.target) ||
    isControls(event) ||
    document.querySelector("dialog[open]") !== null
  )
    return false;
  if (host.takes === "steps") return handleSteps(event, page, host);
  if (event.key === "?") {
    host.openHelp?.();
    return true;
  }
  // The sign wherever it is printed, and the key where it lies on a QWERTY keyboard.
  if (event.key === "/" || (event.code === "Slash" && !event.shiftKey)) {
    host.openPalette?.();
    return true;
  }
  if (handleLaneKey(event, page.store)) return true;
  if (event.code === "KeyB" || event.code === "KeyQ") {
    (event.code === "KeyB" ? host.toggleRail : host.toggleDock)?.();
    return true;
  }
  if (turnsAlone(event, host)) return true;
  if (
    host.takes === "looks" &&
    (event.code === "KeyV" || (event.code === "KeyX" && !event.shiftKey))
  )
    return false;
  if (event.code === "KeyV") {
    moreVariants(page, event.shiftKey ? host.openVariants : undefined);
    return true;
  }
  return handleSteps(event, page, host) || handlePlayback(event, page) || handleView(event, page);
}

/** Before a projector F leaves the stage alone; F or Escape brings the rest back. */
function turnsAlone(
  { code, shiftKey }: KeyboardEvent,
  { alone = false, toggleAlone }: KeyHost,
): boolean {
  if (toggleAlone === undefined || shiftKey || !(code === "KeyF" || (code === "Escape" && alone)))
    return false;
  toggleAlone();
  return true;
}

/** All variants, or the next one as a strip: where there are any to show. */
function moreVariants({ store }: Page, openAll: (() => void) | undefined): void {
  const state = store.getState();
  const variant = nextVariant(state);
  if (openAll === undefined) {
    if (variant !== undefined) store.dispatch({ type: "strip_added", variant });
  } else if (state.entry.variants.length >= TILES_FROM) openAll();
}

/**
 * Forward and back through the scenario's steps; whatever uses arrows itself has taken them before.
 */
function handleSteps(event: KeyboardEvent, { store }: Page, { goStep }: KeyHost): boolean {
  const direction = STEP_KEYS[event.code];
  if (direction === undefined || event.shiftKey) return false;
  if (goStep !== undefined) {
    goStep(direction);
    return true;
  }
  const index = neighbourStep(store.getState(), direction);
  if (index !== undefined) store.dispatch({ type: "step_opened", index });
  return index !== undefined;
}

function handlePlayback(event: KeyboardEvent, { store }: Page): boolean {
  const state = store.getState();
  const { playback } = state;
  switch (event.code) {
    case "Space":
      // Some browsers press a button when the key comes up.
      if (isPressable(event.target)) event.target.blur();
      store.dispatch(playback.playing || playback.touring ? { type: "paused" } : playing(state));
      return true;
    case "KeyJ":
      stepEvent(store, -1);
      return true;
    case "KeyK":
      stepEvent(store, 1);
      return true;
    case "Minus":
    case "Equal": {
      const next =
        event.code === "Equal"
          ? SPEEDS.find((speed) => speed > speedOf(state))
          : SPEEDS.findLast((speed) => speed < speedOf(state));
      if (next !== undefined) store.dispatch({ type: "speed_set", nsPerSecond: next });
      return true;
    }
    default:
      return false;
  }
}

/** What Space starts: on the guided page the open step, from its beginning; else the view. */
function playing(state: State): Action {
  if (!isGuided(state)) return { type: "played" };
  return { type: "step_opened", index: state.step.index ?? 0 };
}

function handleView(event: KeyboardEvent, page: Page): boolean {
  const { store } = page;
  const state = store.getState();
  switch (event.code) {
    case "KeyL":
      if (goToWorst(store, state, event.shiftKey ? -1 : 1)) bringAnswer();
      return true;
    case "KeyX":
      if (event.shiftKey) void lookAtDivergence(store);
      else store.dispatch({ type: "sides_swapped" });
      return true;
    case "KeyG":
      store.dispatch({ type: "ghost_toggled", mode: event.shiftKey ? "other" : "before" });
      return true;
    case "Escape":
      // The browser's own: it closes what lies open over the page.
      if (document.querySelector(":popover-open") !== null) return false;
      clearLayer(store);
      return true;
    case "Backslash":
      store.dispatch({ type: event.shiftKey ? "beside_toggled" : "one_side_toggled" });
      return true;
    case "KeyP":
      store.dispatch({ type: "projector_toggled" });
      return true;
    case "KeyZ":
      store.dispatch({ type: "lab_toggled" });
      return true;
    default:
      return handleAxis(event, page);
  }
}

function handleAxis(event: KeyboardEvent, { store }: Page): boolean {
  const state = store.getState();
  // The side in focus goes first: F must not fit what the other one has selected while this one has
  // its own.
  const focus =
    selectedStretch(state, state.focus) ?? selectedStretch(state, otherSide(state.focus));
  const viewport = handleTimelineKey(event, {
    viewport: shownViewport(state),
    domainNs: domainNs(state),
    playheadNs: state.playheadNs,
    pointer: pointerShare(),
    focus,
  });
  if (viewport === undefined) return false;
  store.dispatch({ type: "viewport_set", viewport, settled: true });
  return true;
}
