// The bets of a session: a step asks for its bet once, whichever address leads to it.

import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { keepChoice, keptChoice } from "./stored-choice.ts";

type Bets = NonNullable<State["bets"]>;

const session = (): Storage => sessionStorage;
/** A line for each bet: its step, a tab, the words. */
const NAME = "bets";

/** What was bet in this session; nothing where storage is denied. */
export function keptBets(root: string): Bets {
  const kept = keptChoice(root, session, NAME) ?? "";
  return Object.fromEntries(kept.split("\n").map((line) => line.split("\t"))) as Bets;
}

/** Keeps each bet as it is made. */
export function keepBets(store: Store, root: string): void {
  store.subscribe(({ bets }, previous) => {
    if (bets !== undefined && bets !== previous.bets)
      keepChoice(
        root,
        session,
        NAME,
        Object.entries(bets)
          .map((bet) => bet.join("\t"))
          .join("\n"),
      );
  });
}
