// Whether a media query holds, as state.

import { useSyncExternalStore } from "react";

/** Each query is read once: its users ask at every change of the page. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/**
 * From the event before a print on: the style of paper comes later, too late for what opens for it.
 */
let printing = false;

/** What measures the page as it is on screen, before anything opens for paper. */
export const beforePaper = new Set<() => void>();

function print(now: boolean): void {
  if (now) for (const measure of beforePaper) measure();
  printing = now;
  listOf("print").dispatchEvent(new Event("change"));
}

// Tests of what uses this run without a window.
if ("window" in globalThis) {
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
}

/** Whether it holds now; who draws it again at a change uses `useMedia`. */
export function mediaHolds(query: string): boolean {
  return listOf(query).matches || (printing && query === "print");
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = listOf(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => mediaHolds(query),
  );
}
