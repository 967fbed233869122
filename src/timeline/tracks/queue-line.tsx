// Who holds the lock and who waits for it, in order, as chips on one line; of those without room,
// how many there are.

import { useLayoutEffect, useRef, useState } from "react";
import type { CSSProperties, ReactElement, ReactNode, RefObject } from "react";
import { counted } from "../../lib/count.ts";
import type { LockMoment } from "../../model/index.ts";

/** Between two chips, CSS px. */
const GAP_PX = 3;
/** At either end of the line, CSS px. */
const PAD_PX = 4;
/** A chip's padding and edges, CSS px. */
const CHIP_PX = 8;
/** CPUs without a chip that are named, at most. */
const NAMED_MAX = 40;

/** How many chips fit on `px` when each takes `chipPx`, and the count of the rest `restPx`. */
export function chipsOn(px: number, waiting: number, chipPx: number, restPx: number): number {
  if (waiting * (chipPx + GAP_PX) - GAP_PX <= px) return waiting;
  return Math.max(0, Math.floor((px - restPx) / (chipPx + GAP_PX)));
}

/**
 * Chips keep their places while the queue changes: the words before them stay the same, and every
 * chip is as wide as the largest number.
 */
export function QueueLine({
  moment,
  cpus,
}: {
  readonly moment: LockMoment;
  readonly cpus: number;
}): ReactElement {
  const line = useRef<HTMLDivElement>(null);
  const digits = String(cpus - 1).length;
  const { px, chipPx } = useRoom(line, digits);
  const { holder, queue } = moment;
  const letterPx = (chipPx - CHIP_PX) / digits;
  const shown = chipsOn(px, queue.length, chipPx, chipPx + 2 * letterPx);
  const [first, ...others] = queue.slice(0, shown).map((cpu) => (
    <span key={cpu} className="tl-cpu">
      {cpu}
    </span>
  ));
  const rest = shown < queue.length && (
    <span className="tl-queue-rest" title={restWords(queue.slice(shown), shown)}>
      + {queue.length - shown}
    </span>
  );
  return (
    <div
      ref={line}
      className="tl-queue"
      aria-label={queueWords(moment)}
      role="img"
      style={{ "--tl-digits": digits } as CSSProperties}
    >
      <Part words="held by CPU" isShown={holder !== undefined || queue.length > 0}>
        <span className="tl-cpu tl-cpu-holder">{holder ?? "–"}</span>
      </Part>
      <Part words="waiting" isShown={queue.length > 0}>
        {first ?? rest}
      </Part>
      {others}
      {first !== undefined && rest}
    </div>
  );
}

interface PartProps {
  readonly words: string;
  /** Words with nothing to say keep their place, unseen, so that chips keep theirs. */
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** Words and the chips behind them: where there is no room for both, neither is seen. */
function Part({ words, isShown, children }: PartProps): ReactElement {
  return (
    <span className="tl-part" style={{ visibility: isShown ? undefined : "hidden" }}>
      <span>{words}</span>
      {children}
    </span>
  );
}

/** Room for chips behind the words of a line, and the width of one. */
function useRoom(
  line: RefObject<HTMLDivElement | null>,
  digits: number,
): { readonly px: number; readonly chipPx: number } {
  const [room, setRoom] = useState({ px: 0, chipPx: 0 });
  useLayoutEffect(() => {
    const { current } = line;
    const [held, waiting] = current?.children ?? [];
    const [chip, words] = [held?.lastElementChild, waiting?.firstElementChild];
    if (current === null || held === undefined || !chip || !words) return undefined;
    const measure = (): void => {
      // Widths, not places: a chip that has wrapped lies on another line.
      const [all = 0, before = 0, wordsPx = 0, chipPx = 0] = [current, held, words, chip].map(
        (part) => part.getBoundingClientRect().width,
      );
      setRoom({ px: all - 2 * PAD_PX - before - GAP_PX - wordsPx - GAP_PX, chipPx });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [line, digits]);
  return room;
}

function restWords(rest: readonly number[], shown: number): string {
  const named = rest.slice(0, NAMED_MAX).join(", ");
  const more = rest.length > NAMED_MAX ? ` and ${String(rest.length - NAMED_MAX)} more` : "";
  return `${counted(rest.length, "more CPU")} in the queue${shown > 0 ? `, behind those shown` : ""}, in order: ${named}${more}`;
}

function queueWords({ holder, queue }: LockMoment): string {
  const free = queue.length === 0 ? "lock free" : "lock being handed over";
  const held = holder === undefined ? free : `lock held by CPU ${holder}`;
  return queue.length === 0 ? held : `${held}, waiting in order: CPU ${queue.join(", ")}`;
}
