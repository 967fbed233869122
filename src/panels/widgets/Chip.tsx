import type { ReactNode } from "react";

// A chip that says whose a number is.

export type Whose =
  "model" | "thread" | "measured" | "published" | "derived" | "calibrated" | "assumed" | "stated";

const WHOSE_TITLES: Readonly<Record<Whose, string>> = {
  model: "Computed here, by this page’s engine",
  thread: "Reported in the mailing-list thread, on the author’s machine",
  measured: "Measured on a real machine",
  published: "Published by its author",
  derived: "Computed from measured or published figures",
  calibrated: "Chosen so that the run reproduces a reported figure",
  stated: "Set for this run",
  assumed: "Assumed, within a plausible range",
};

/** Says whose a number is. */
export function Chip({
  whose,
  children,
}: {
  readonly whose: Whose;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <span className={`chip chip-${whose}`} title={WHOSE_TITLES[whose]}>
      {children ?? whose}
    </span>
  );
}
