// Gives the focus back where what had it is taken away: a button that goes when it is pressed, a
// menu whose tile opens a dialog. Browsers leave it to the page as a whole then, and the next Tab
// begins at the top.

/** Elements that had the focus, the last one at the end. */
const REMEMBERED = 12;
const had: HTMLElement[] = [];

/** From now on; returns what ends it. */
export function keepFocus(): () => void {
  const away = new AbortController();
  const { signal } = away;
  document.addEventListener("focusin", ({ target }) => remember(target), { signal });
  // On the way down: some keys are stopped on the way up, and a dialog's end does not come up.
  for (const kind of ["click", "keydown", "close"])
    document.addEventListener(kind, soon, { capture: true, signal });
  return () => away.abort();
}

function remember(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || had.at(-1) === target) return;
  had.push(target);
  if (had.length > REMEMBERED) had.shift();
}

/** Two frames on, what the key or the click changed has been drawn. */
function soon(): void {
  requestAnimationFrame(() => requestAnimationFrame(giveBack));
}

/**
 * To the last that still takes it. A click beside all fields takes the focus away as well: then
 * what had it is still there.
 */
function giveBack(): void {
  const lost = had.at(-1);
  if (lost === undefined || hasFocus() || takes(lost)) return;
  for (const element of [...had].reverse()) {
    element.focus({ preventScroll: true });
    if (hasFocus()) return;
  }
}

function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** Whether an element is there, to be seen, and not switched off. */
function takes(element: HTMLElement): boolean {
  return (
    element.isConnected && element.getClientRects().length > 0 && !element.matches(":disabled")
  );
}
