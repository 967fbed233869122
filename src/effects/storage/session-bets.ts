// The bets of a session: a step asks for its bet once, whichever address leads to it.

import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { keepChoice, keptChoice } from "./stored-choice.ts";

type Bets = NonNullable<State["bets"]>;

const session = (): Storage => sessionStorage;
const NAME = "bets";

/** What was bet in this session; nothing where storage is denied, or holds something else. */
export function keptBets(root: string, storage: () => Pick<Storage, "getItem"> = session): Bets {
  try {
    const kept: unknown = JSON.parse(keptChoice(root, storage, NAME) ?? "{}");
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter(([, words]) => typeof words === "string"),
    ) as Bets;
  } catch {
    return {};
  }
}

/** Keeps each bet as it is made. */
export function keepBets(store: Store, root: string): void {
  store.subscribe(({ bets }, previous) => {
    if (bets !== undefined && bets !== previous.bets)
      keepChoice(root, session, NAME, JSON.stringify(bets));
  });
}
