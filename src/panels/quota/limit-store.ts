// The two searches of a throttled group, their progress, and the bounds as typed. They outlive the
// panel: a viewer who returns to the panel finds the answer.

import { createStore, useStore, type StoreApi } from "zustand";
import type { Batch } from "../../engine/batch.ts";
import type { BisectAnswer } from "../../scenario/bisect.ts";
import { runSearch, runsLeft, type SearchAsked } from "../sweep/search-run.ts";
import type { LimitAsked } from "./limit-asked.ts";

export interface LimitState {
  readonly asked: LimitAsked | undefined;
  readonly limit: BisectAnswer | undefined;
  readonly burst: BisectAnswer | undefined;
  readonly running: boolean;
  /** Whether it was stopped before both answers were known. */
  readonly stopped: boolean;
  /** Runs done of both searches, and how many more they take at most. */
  readonly done: number;
  readonly left: number;
}

const NOTHING: LimitState = {
  asked: undefined,
  limit: undefined,
  burst: undefined,
  running: false,
  stopped: false,
  done: 0,
  left: 0,
};

/** Bounds as typed, by the key of their run; only this number of the newest ones is kept. */
const TYPED_MAX = 50;
const typedStore: StoreApi<ReadonlyMap<string, string>> = createStore(
  () => new Map<string, string>(),
);

const store: StoreApi<LimitState> = createStore<LimitState>(() => NOTHING);
let batch: Batch | undefined;

export function useLimit<T>(select: (state: LimitState) => T): T {
  return useStore(store, select);
}

/** The bound that was typed for the run of `key`. */
export function useTypedBound(key: string): string | undefined {
  return useStore(typedStore, (typed) => typed.get(key));
}

export function typeBound(key: string, bound: string): void {
  const others = [...typedStore.getState()].filter(([other]) => other !== key);
  typedStore.setState(new Map([...others, [key, bound] as const].slice(-TYPED_MAX)), true);
}

/** Asks both, one after the other; another question ends this one. */
export async function askLimit(asked: LimitAsked): Promise<void> {
  batch?.cancel();
  store.setState({ ...NOTHING, asked, running: true }, true);
  const goesOn = (): boolean => store.getState().asked === asked && store.getState().running;
  const search = (what: "limit" | "burst", one: SearchAsked): Promise<boolean> =>
    runSearch(one, {
      onBatch: (started) => (batch = started),
      onRun: () =>
        goesOn() && store.setState(({ done, left }) => ({ done: done + 1, left: left - 1 })),
      onAnswer: ({ answer, probes }) => {
        const later =
          what === "limit" && asked.burst !== undefined ? runsLeft(asked.burst.question, []) : 0;
        if (goesOn())
          store.setState({ [what]: answer, left: runsLeft(one.question, probes) + later });
      },
      goesOn,
    });
  const ended =
    (await search("limit", asked.limit)) &&
    (asked.burst === undefined || (await search("burst", asked.burst)));
  if (ended && goesOn()) store.setState({ running: false });
}

export function stopLimit(): void {
  batch?.cancel();
  store.setState({ running: false, stopped: true });
}

/** Another run is on screen: what is asked of this one is asked no more. */
export function leaveLimit(key: string): void {
  const { asked, running } = store.getState();
  if (running && asked?.key === key) stopLimit();
}
