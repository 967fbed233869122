// Whether a media query holds, now and whenever that changes.

import { useSyncExternalStore } from "react";

export function useMatches(query: string): boolean {
  return useSyncExternalStore(
    (heard) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", heard);
      return () => list.removeEventListener("change", heard);
    },
    () => window.matchMedia(query).matches,
  );
}
