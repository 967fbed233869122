// Which theme to start with, and where the choice is kept.

import { keepChoice, keptChoice } from "./kept-choice.ts";
import { THEMES, type ThemeName } from "./state.ts";

const NAME = "theme";

export function firstTheme(root: string, storage: () => Pick<Storage, "getItem">, prefersLight: boolean): ThemeName {
  const kept = keptChoice(root, storage, NAME);
  return THEMES.find((theme) => theme === kept) ?? (prefersLight ? "light" : "dark");
}

export function keepTheme(root: string, storage: () => Pick<Storage, "setItem">, theme: ThemeName): void {
  keepChoice(root, storage, NAME, theme);
}
