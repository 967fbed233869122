// The way from a row of a table to its instant: a press anywhere on the row, or its name by the
// keyboard. Passing over a row moves nothing: what is written to the running kernel is written at
// the playhead.

import type { MouseEvent, ReactNode } from "react";

/** What a press on a row does, unless it was meant for a link in it. */
export function rowPress(choose: () => void): (event: MouseEvent) => void {
  return ({ target }) => {
    if (!(target instanceof Element) || target.closest("a") === null) choose();
  };
}

/** The name of a row. A press on the name bubbles to the row. */
export function RowName({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <button type="button" className="cause-name">
      {children}
    </button>
  );
}
