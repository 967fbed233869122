// How many numbers have no room in the band over the picture or below a talk, and which: what is
// left out is said.

import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { MetricWords } from "../../state/figures/headline.ts";

/** `rows`: those of the score beside it, in its order. */
export default function MoreScores({ rows }: { readonly rows: readonly MetricWords[] }): ReactNode {
  const own = useRef<HTMLSpanElement>(null);
  const [away, setAway] = useState<readonly number[]>([]);
  useLayoutEffect(() => {
    const score = own.current?.previousElementSibling;
    if (!score) return undefined;
    const shown = [...score.querySelectorAll(".score-row")];
    const measure = (): void => {
      const { bottom } = score.getBoundingClientRect();
      setAway(
        shown.flatMap((row, index) => (row.getBoundingClientRect().top < bottom ? [] : [index])),
      );
    };
    const observer = new ResizeObserver(measure);
    for (const part of [score, ...shown]) observer.observe(part);
    return () => observer.disconnect();
  }, [rows]);
  const names = away.map((index) => rows[index]?.label).join("\n");
  return (
    <span
      ref={own}
      className="band-more muted"
      hidden={away.length === 0}
      title={names}
      data-testid="more-scores"
    >
      + {away.length} more
    </span>
  );
}
