// Which theme to start with, and where the choice is kept. Storage may be denied: then the choice lasts as long as the page.

import { THEMES, type ThemeName } from "./state.ts";

/** The key carries the site's path: other sites of the same host have their own. */
export function themeKey(root: string): string {
  return `schedscope:${root}:theme`;
}

export function firstTheme(root: string, storage: () => Pick<Storage, "getItem">, prefersLight: boolean): ThemeName {
  let kept: string | null = null;
  try {
    kept = storage().getItem(themeKey(root));
  } catch {
    // Denied: the system's preference decides.
  }
  return THEMES.find((theme) => theme === kept) ?? (prefersLight ? "light" : "dark");
}

export function keepTheme(root: string, storage: () => Pick<Storage, "setItem">, theme: ThemeName): void {
  try {
    storage().setItem(themeKey(root), theme);
  } catch {
    // Denied: nothing is lost but the memory of it.
  }
}
