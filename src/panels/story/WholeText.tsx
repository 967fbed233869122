// Behind words that their line cuts off: a button to all of them. Such a line keeps its height, so
// that the picture stays where it is.

import { useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";

interface WholeTextProps {
  /** The text of the line, in its elements of the class `event-words`. */
  readonly words: string;
  /** All of it. */
  readonly children: ReactNode;
}

export default function WholeText({ words, children }: WholeTextProps): ReactNode {
  const id = useId();
  const own = useRef<HTMLDivElement>(null);
  const cut = useCut(own, words);
  return (
    <>
      {cut && (
        <button
          type="button"
          className="button tiny"
          popoverTarget={id}
          title="The whole text"
          aria-label="The whole text"
          data-testid="event-whole"
        >
          …
        </button>
      )}
      <div ref={own} id={id} popover="auto" className="knob-reasons" data-testid="event-all">
        {children}
      </div>
    </>
  );
}

/** Whether the line around `own` cuts its words. */
function useCut(own: RefObject<HTMLElement | null>, words: string): boolean {
  const [cut, setCut] = useState(false);
  useLayoutEffect(() => {
    const line = own.current?.parentElement;
    if (!line) return;
    const measure = (): void =>
      setCut(
        [...line.querySelectorAll(".event-words")].some(
          ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
        ),
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(line);
    return () => observer.disconnect();
  }, [own, words]);
  return cut;
}
