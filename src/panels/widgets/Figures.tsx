// A text in which no line ends between a figure and its unit, nor within a figure. Style holds them
// together: what is copied and what the browser searches has plain spaces.

import type { ReactNode } from "react";

const FIGURE = /(\d[\d.,\u2009\u202f]*(?:\s(?:ns|µs|ms|s|%|×)(?![\p{L}\d]))?)/u;

export function Figures({ text }: { readonly text: string }): ReactNode {
  return text.split(FIGURE).map((part, index) =>
    index % 2 === 1 && /\s/.test(part) ? (
      <span key={index} className="bound">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
