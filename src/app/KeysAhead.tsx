// Stands where a window's script has not come: keys wait with it and act on nothing behind it.

import { useEffect, useLayoutEffect, useRef } from "react";
import { isWriting, takeTypedAhead, typeAhead } from "../panels/palette/typed-ahead.ts";

interface KeysAheadProps {
  /** Whether the window has a field for what is typed: the search. */
  readonly typing: boolean;
  readonly onEscape: () => void;
}

export function KeysAhead({ typing, onEscape }: KeysAheadProps): undefined {
  const leave = useRef(onEscape);
  useEffect(() => void (leave.current = onEscape));
  useLayoutEffect(() => {
    takeTypedAhead();
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") leave.current();
      else if (event.key !== "Enter" && !isWriting(event.key)) return;
      else if (typing) typeAhead(event.key);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [typing]);
  return undefined;
}
