// The viewer's settings: what the page starts with, and where a change is kept for the next visit.

import type { FrameName } from "../../links/frames.ts";
import { THEMES, type Drag, type LabChoice, type ThemeName } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { keepChoice, keptChoice } from "./stored-choice.ts";

type Kept = () => Pick<Storage, "getItem">;

export function firstTheme(root: string, storage: Kept, prefersLight: boolean): ThemeName {
  const kept = keptChoice(root, storage, "theme");
  return THEMES.find((theme) => theme === kept) ?? (prefersLight ? "light" : "dark");
}

/**
 * The theme that a frame comes with: an embed's is the host page's choice (`?theme=light`), a talk
 * is given before a projector.
 */
export function themeAsked(frame: FrameName, search: string): ThemeName | undefined {
  if (frame === "lab") return undefined;
  const asked = new URLSearchParams(search).get("theme");
  return (
    THEMES.find((theme) => theme === asked) ??
    (frame === "present" || frame === "lecture" ? "projector" : undefined)
  );
}

/** What a plain drag on the lanes does. */
export function firstDrag(root: string, storage: Kept): Drag {
  return keptChoice(root, storage, "drag") === "pan" ? "pan" : "area";
}

/**
 * Whether keys of one letter or sign act (WCAG 2.1.4: speech input types them by mistake).
 */
export function firstLetters(root: string, storage: Kept): boolean {
  return keptChoice(root, storage, "letters") !== "off";
}

/** Whether this browser was left in the lab; the frames around it have none. */
export function firstLab(root: string, storage: Kept, frame: FrameName): LabChoice {
  if (frame !== "lab") return "never";
  return keptChoice(root, storage, "form") === "lab" ? "kept" : "no";
}

/** Keeps every setting that the viewer changes from now on; the theme only in the lab. */
export function keepSettings(
  store: Store,
  root: string,
  storage: () => Pick<Storage, "setItem">,
  frame: FrameName,
): void {
  store.subscribe(({ drag, letters, theme, lab }, previous) => {
    if (drag !== previous.drag) keepChoice(root, storage, "drag", drag);
    if (letters !== previous.letters) keepChoice(root, storage, "letters", letters ? "on" : "off");
    // A press decides about the next visit, a link does not.
    if (lab !== previous.lab && (lab === "no" || lab === "asked"))
      keepChoice(root, storage, "form", lab === "no" ? "guided" : "lab");
    if (frame === "lab" && theme !== previous.theme) keepChoice(root, storage, "theme", theme);
  });
}
