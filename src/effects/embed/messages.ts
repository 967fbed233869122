// What an embed and the page around it say to each other. Messages come from any window: they are
// taken by their shape alone, and can ask for a step, a theme or a size of text, nothing else
// (docs/use/embeds.md).

import { THEMES, type ThemeName } from "../../state/shape/state.ts";

export type Asked =
  /** Steps count from 1; one past the ends is none. */
  | { readonly ask: "step"; readonly n: number }
  | { readonly ask: "theme"; readonly theme: ThemeName }
  /** The scale of the text; 1 is the normal size. */
  | { readonly ask: "size"; readonly scale: number }
  /** Asks which step is current. */
  | { readonly ask: "steps" };

const SCALE_MIN = 0.75;
const SCALE_MAX = 3;
/** More steps than any scenario may have. */
const STEP_MAX = 99;

/** What a message asks for; undefined for any that is none of ours. */
export function readMessage(data: unknown): Asked | undefined {
  if (typeof data !== "object" || data === null || !("schedscope" in data)) return undefined;
  const message = data as Readonly<Record<string, unknown>>;
  const { n, theme, scale } = message;
  switch (message["schedscope"]) {
    case "step":
      return typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= STEP_MAX
        ? { ask: "step", n }
        : undefined;
    case "theme": {
      const known = THEMES.find((each) => each === theme);
      return known === undefined ? undefined : { ask: "theme", theme: known };
    }
    case "size":
      return typeof scale === "number" && scale >= SCALE_MIN && scale <= SCALE_MAX
        ? { ask: "size", scale }
        : undefined;
    case "steps":
      return { ask: "steps" };
    default:
      return undefined;
  }
}

/** Keys of the page that shows the slides: an embed passes them on. */
export const HANDED_ON: readonly string[] = [
  "PageUp",
  "PageDown",
  "Escape",
  "F5",
  "KeyB",
  "Period",
];

/**
 * Sends a message to the page around the embedded stage, if there is one. No message is secret, and
 * the outer page may have no origin to name.
 */
export function sendToHost(
  message: { readonly schedscope: string } & Readonly<Record<string, unknown>>,
): void {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}
