// Stands where a window's script has not come: keys wait with it and act on nothing behind it.

import { useEffect, useLayoutEffect, useRef } from "react";
import { takeTypedAhead, typeAhead } from "../panels/palette/typed-ahead.ts";

export function KeysAhead({ onEscape }: { readonly onEscape: () => void }): undefined {
  const leave = useRef(onEscape);
  useEffect(() => void (leave.current = onEscape));
  useLayoutEffect(() => {
    takeTypedAhead();
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") leave.current();
      else if (!typeAhead(event.key) && event.key !== "Enter") return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
  return undefined;
}
