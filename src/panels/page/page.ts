// What every panel needs: the store, the runner and the lists of scenarios and knobs, through one
// React context.

import { createContext, useContext, useMemo, type MouseEvent } from "react";
import { useStore } from "zustand";
import type { Knob } from "../../engine/gen/types.ts";
import type { Action } from "../../state/shape/actions.ts";
import type { Catalogue } from "../../effects/address/address-bar.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import type { Runner } from "../../effects/runs/runner.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";

export interface Page {
  readonly store: Store;
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  /** The site's path with its closing slash. */
  readonly root: string;
  /** Goes to an address of this site without a reload. */
  readonly go: (path: string) => void;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("a panel stands outside the page");
  return page;
}

/** Part of the state; the panel is drawn again when that part is another value. */
export function useSelect<T>(select: (state: State) => T): T {
  return useStore(usePage().store.api, select);
}

export function useDispatch(): (action: Action) => void {
  return usePage().store.dispatch;
}

export function useKnob(path: string): Knob | undefined {
  const { knobs } = usePage().catalogue;
  return useMemo(() => findKnob(knobs, path), [knobs, path]);
}

/**
 * A plain click on a link of this site goes there without a reload; any other (a new tab, a new
 * window, a download) is the browser's.
 */
export function followHere(event: MouseEvent, go: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  go();
}
