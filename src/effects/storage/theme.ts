// Which theme to start with, and where the choice is kept.

import { keepChoice, keptChoice } from "./stored-choice.ts";
import type { FrameName } from "../../links/frames.ts";
import { THEMES, type ThemeName } from "../../state/shape/state.ts";

const NAME = "theme";

export function firstTheme(
  root: string,
  storage: () => Pick<Storage, "getItem">,
  prefersLight: boolean,
): ThemeName {
  const kept = keptChoice(root, storage, NAME);
  return THEMES.find((theme) => theme === kept) ?? (prefersLight ? "light" : "dark");
}

export function keepTheme(
  root: string,
  storage: () => Pick<Storage, "setItem">,
  theme: ThemeName,
): void {
  keepChoice(root, storage, NAME, theme);
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
