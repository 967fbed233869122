// The verbs beside what was pressed, and what a drag comes to. Each verb is a write to the running
// kernel, said in one sentence and taken back by Ctrl+Z.

import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import type { LiveChange } from "../../scenario/knob-sets.ts";
import { instantText } from "../../lib/format.ts";
import type { Grab } from "../../timeline/index.ts";
import { useDispatch, usePage } from "../page/page.ts";
import { changeOf, doneWords, verbsOf } from "./verbs.ts";
import "./hand.css";

interface HandProps {
  readonly grab: Grab;
  readonly onDone: () => void;
}

export default function Hand({ grab, onDone }: HandProps): ReactNode {
  const { store } = usePage();
  const dispatch = useDispatch();
  const write = (change: LiveChange): void => {
    dispatch({ type: "knob_live_set", change });
    dispatch({ type: "replied", words: doneWords(change) });
    onDone();
  };
  useEffect(() => {
    if (grab.kind === "press") return;
    const change = changeOf(store.getState(), grab);
    if (change === undefined) onDone();
    else write(change);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each drag
  }, [grab]);
  if (grab.kind !== "press") return null;
  return <Verbs key={`${String(grab.x)} ${String(grab.y)}`} {...{ grab, onDone, write }} />;
}

interface VerbsProps {
  readonly grab: Extract<Grab, { readonly kind: "press" }>;
  readonly onDone: () => void;
  readonly write: (change: LiveChange) => void;
}

/** Between the pointer and the verbs, and from the window's edge, CSS px. */
const AWAY_PX = 18;
const EDGE_PX = 8;

function Verbs({ grab, onDone, write }: VerbsProps): ReactNode {
  const { store } = usePage();
  const menu = useRef<HTMLDivElement>(null);
  const verbs = verbsOf(store.getState(), grab);
  const { x, y } = grab;
  // Before the next key: an Escape that is pressed then is the menu's.
  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return undefined;
    current.showPopover();
    const { offsetWidth, offsetHeight, style } = current;
    const left = Math.min(x + AWAY_PX, window.innerWidth - offsetWidth - EDGE_PX);
    // Words about what was pressed lie below it.
    const above = y - AWAY_PX - offsetHeight;
    style.left = `${String(Math.max(EDGE_PX, left))}px`;
    style.top = `${String(above >= EDGE_PX ? above : y + AWAY_PX)}px`;
    const closed = (event: Event): void => {
      if ((event as ToggleEvent).newState === "closed") onDone();
    };
    current.addEventListener("toggle", closed);
    return () => current.removeEventListener("toggle", closed);
  }, [x, y, onDone]);
  if (verbs.length === 0) return null;
  return (
    <div
      ref={menu}
      className="hand-verbs"
      popover="auto"
      role="menu"
      aria-label={`From ${instantText(grab.ns)} on`}
      data-testid="hand-verbs"
    >
      <p className="hand-from">From {instantText(grab.ns)} on</p>
      {verbs.map(({ words, change }) => (
        <button
          key={words}
          type="button"
          role="menuitem"
          className="hand-verb"
          data-testid="hand-verb"
          onClick={() => write(change)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
