// The keyboard map in a frame around the stage: the lab's, or a lesson's.

import { useEffect, useRef } from "react";
import { usePage, useSelect } from "../../panels/page/page.ts";
import { handleKey, noteWay, silenceLetter, type KeyHost } from "./keyboard.ts";

/**
 * Listens to the page's keys while the frame is mounted. Keys of one letter or sign do nothing
 * while the viewer has them switched off.
 */
export function useKeys(host: KeyHost): void {
  const page = usePage();
  const latest = useRef(host);
  useEffect(() => void (latest.current = host));
  useEffect(() => {
    const listen = (event: KeyboardEvent): void =>
      page.store.together(() => handleKey(event, page, latest.current));
    const away = new AbortController();
    const { signal } = away;
    window.addEventListener("keydown", listen, { signal });
    for (const kind of ["pointerdown", "keydown"])
      window.addEventListener(kind, noteWay, { capture: true, signal });
    return () => away.abort();
  }, [page]);
  const letters = useSelect((state) => state.letters);
  useEffect(() => {
    if (letters) return undefined;
    window.addEventListener("keydown", silenceLetter, true);
    return () => window.removeEventListener("keydown", silenceLetter, true);
  }, [letters]);
}
