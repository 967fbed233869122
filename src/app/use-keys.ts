// The keyboard map in a frame around the stage: the lab's, or a lesson's.

import { useEffect, useRef } from "react";
import { usePage, useSelect } from "../panels/page.ts";
import { handleKey, silenceLetter, type KeyHost } from "./keyboard.ts";

/** The keyboard map, while the frame stands; keys of one letter or sign do nothing while the viewer has them switched off. */
export function useKeys(host: KeyHost): void {
  const page = usePage();
  const latest = useRef(host);
  useEffect(() => void (latest.current = host));
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => handleKey(event, page, latest.current);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [page]);
  const letters = useSelect((state) => state.letters);
  useEffect(() => {
    if (letters) return undefined;
    window.addEventListener("keydown", silenceLetter, true);
    return () => window.removeEventListener("keydown", silenceLetter, true);
  }, [letters]);
}
