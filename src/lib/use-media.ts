// Whether a media query holds, as state.

import { useSyncExternalStore } from "react";

/** Each query is read once: whoever uses it asks at every change of the page. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether it holds now; who draws it again at a change uses `useMedia`. */
export function mediaHolds(query: string): boolean {
  return listOf(query).matches;
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
