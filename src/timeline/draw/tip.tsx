// What lies under the pointer, in words beside it.

import type { ReactElement } from "react";

export interface TipProps {
  /** The heading first. */
  readonly lines: readonly string[];
  /** One more, that may come later. */
  readonly last?: string | undefined;
  readonly x: number;
  readonly y: number;
  /** Of the box it lies in, CSS px. */
  readonly width: number;
  readonly height: number;
  readonly testId: string;
}

export function Tip({ lines, last, x, y, width, height, testId }: TipProps): ReactElement {
  const [heading, ...rest] = last === undefined ? lines : [...lines, last];
  const across = x > width / 2 ? { right: width - x + 14 } : { left: x + 14 };
  const down = y > height / 2 ? { bottom: height - y + 10 } : { top: y + 14 };
  return (
    <div className="tl-tip" role="presentation" data-testid={testId} style={{ ...across, ...down }}>
      <p>{heading}</p>
      {rest.map((line, index) => (
        <p key={`${String(index)} ${line}`} className="tl-dim">
          {line}
        </p>
      ))}
    </div>
  );
}
