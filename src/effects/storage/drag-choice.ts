// What a plain drag on the lanes does, and where the choice is kept.

import { keepChoice, keptChoice } from "./stored-choice.ts";
import type { Drag } from "../../state/shape/state.ts";

const NAME = "drag";

export function firstDrag(root: string, storage: () => Pick<Storage, "getItem">): Drag {
  return keptChoice(root, storage, NAME) === "pan" ? "pan" : "area";
}

export function keepDrag(root: string, storage: () => Pick<Storage, "setItem">, drag: Drag): void {
  keepChoice(root, storage, NAME, drag);
}
