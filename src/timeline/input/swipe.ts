// A vertical swipe on a plot is the page's: it scrolls. d3-zoom takes every touch for itself, so it
// must not see such a one move.

/** A finger that has moved less, CSS px, has no direction yet. */
const SLOP_PX = 8;

/**
 * Keeps vertical moves of a single finger from whoever listens behind this; returns what takes it
 * off again.
 */
export function letSwipesScroll(node: HTMLElement): () => void {
  let start: { readonly x: number; readonly y: number } | undefined;
  let sideways: boolean | undefined;
  const begin = ({ touches }: TouchEvent): void => {
    const [touch] = touches;
    start =
      touches.length === 1 && touch !== undefined
        ? { x: touch.clientX, y: touch.clientY }
        : undefined;
    sideways = undefined;
  };
  const move = (event: TouchEvent): void => {
    const [touch] = event.touches;
    if (start === undefined || touch === undefined) return;
    const [x, y] = [Math.abs(touch.clientX - start.x), Math.abs(touch.clientY - start.y)];
    if (sideways === undefined && Math.max(x, y) >= SLOP_PX) sideways = x >= y;
    // What cannot be cancelled is part of a scroll that goes on.
    if (sideways !== true || !event.cancelable) event.stopImmediatePropagation();
  };
  node.addEventListener("touchstart", begin, { capture: true, passive: true });
  node.addEventListener("touchmove", move, { capture: true, passive: true });
  return () => {
    node.removeEventListener("touchstart", begin, { capture: true });
    node.removeEventListener("touchmove", move, { capture: true });
  };
}
