// Keeps the stage that was drawn with the site visible until the live stage reaches the same
// moment, so that the viewer never sees an empty stage.

import { isComputing } from "../../state/select/selectors.ts";
import type { Store } from "../../state/store.ts";

/** Frames from the runs' end to the live picture of it. */
const FRAMES = 2;

/**
 * Lays the drawn stage of the page's HTML over the live stage that replaces it. Call this before
 * React draws the live stage. The first press, key, wheel or resize removes the drawn stage.
 */
export function keepFirstPicture(root: HTMLElement, store: Store): void {
  const picture = Array.from(root.querySelectorAll<HTMLElement>(".shell-picture")).find(
    (each) => each.getClientRects().length > 0,
  );
  // A link with a view of its own opens on another moment.
  if (picture === undefined || window.location.hash !== "") return;
  const { left, top, width, height } = picture.getBoundingClientRect();
  picture.setAttribute("aria-hidden", "true");
  Object.assign(picture.style, { position: "fixed", pointerEvents: "none", zIndex: "5" });
  for (const [name, px] of Object.entries({ left, top, width, height }))
    picture.style.setProperty(name, `${px}px`);
  document.body.append(picture);
  const gone = new AbortController();
  const remove = (): void => {
    picture.remove();
    unsubscribe();
    gone.abort();
  };
  const after = (frames: number): void => {
    requestAnimationFrame(() => (frames === 0 ? remove() : after(frames - 1)));
  };
  const unsubscribe = store.subscribe((state) => {
    if (!isComputing(state) || state.linkProblem !== undefined) after(FRAMES);
  });
  for (const event of ["pointerdown", "keydown", "wheel", "resize"])
    window.addEventListener(event, remove, { signal: gone.signal, passive: true, capture: true });
}
