// Whether keys of one letter or sign act (WCAG 2.1.4: speech input types them by mistake), and
// where the choice is kept.

import { keepChoice, keptChoice } from "./stored-choice.ts";

const NAME = "letters";

export function firstLetters(root: string, storage: () => Pick<Storage, "getItem">): boolean {
  return keptChoice(root, storage, NAME) !== "off";
}

export function keepLetters(
  root: string,
  storage: () => Pick<Storage, "setItem">,
  on: boolean,
): void {
  keepChoice(root, storage, NAME, on ? "on" : "off");
}
