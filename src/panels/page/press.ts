// To a control of the page as a viewer gets there: by the switches that hide it, each pressed only
// if what it hides is not in sight. Knows test ids, which are a contract; what a control does is
// the control's own.

/**
 * Frames in which the page may draw what was just opened; the script of a window may have to come
 * first.
 */
const FRAMES_MAX = 300;

/** Test ids from what is always there to the control itself. */
export type Way = readonly [string, ...string[]];

function part(testId: string): HTMLElement | undefined {
  const element =
    document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(testId)}"]`) ?? undefined;
  return element?.checkVisibility() === true ? element : undefined;
}

/** The index of the visible part of the way that is nearest to the control; -1: none. */
function nearestPart(way: Way): number {
  return way.findLastIndex((testId) => part(testId) !== undefined);
}

/**
 * Whether the way can be gone now: its beginning is there, and the control, as far as it is known,
 * can be pressed.
 */
export function canReach(way: Way): boolean {
  const control = document.querySelector(`[data-testid="${CSS.escape(way.at(-1) ?? "")}"]`);
  return nearestPart(way) >= 0 && control?.matches(":disabled") !== true;
}

/** Goes the way and does `act` with the control at its end. */
export function alongWay(way: Way, act: (control: HTMLElement) => void): void {
  const from = nearestPart(way);
  if (from < 0) return;
  step(way, from, act);
}

function step(
  way: Way,
  at: number,
  act: (control: HTMLElement) => void,
  frames = FRAMES_MAX,
): void {
  const element = part(way[at] ?? "");
  if (element !== undefined) {
    if (at === way.length - 1) return act(element);
    open(element);
    return step(way, at + 1, act);
  }
  if (frames > 0) requestAnimationFrame(() => step(way, at, act, frames - 1));
}

/** One that is open already is left so: what it shows is on its way. */
function open(element: HTMLElement): void {
  if (element instanceof HTMLDetailsElement) element.open = true;
  else if (element.ariaExpanded !== "true" && element.ariaPressed !== "true") element.click();
}

export function pressIt(control: HTMLElement): void {
  control.click();
}

/** Into sight, and the focus on it where it takes one. */
export function showIt(control: HTMLElement): void {
  control.scrollIntoView({ block: "center" });
  control.focus({ preventScroll: true });
}
