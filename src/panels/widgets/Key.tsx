import type { ReactNode } from "react";

// A key of the keyboard.

/** A key as it is printed on a keyboard. */
export function Key({ children }: { readonly children: ReactNode }): ReactNode {
  return <kbd className="key">{children}</kbd>;
}
