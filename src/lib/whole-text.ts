// What a line cuts off ends in "…", and is whole on request: under the mouse as a tooltip; at a
// tap, and with the keyboard's focus, in a box of its own. What can be pressed already keeps its
// press, and has a tooltip.

/** The lines that may be cut. */
const LINES =
  ".tl-label, .tl-lock, .tl-ghost, .tl-tank-words, .vstrip-status, .vstrip-selected, .story-caption, .stage-words > span, .score-label, .score-ratio, .about, .lesson-title, .data-row > *";
const PRESSED = "a, button, select, input, label, summary, [role='button'], [role='option']";

/** Whether there is more of it than is in sight. */
export function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight + 2;
}

/** The cut line that an event is about. */
function cutLine({ target }: Event): HTMLElement | undefined {
  const line = target instanceof Element ? target.closest<HTMLElement>(LINES) : null;
  return line !== null && isCut(line) && (target as Element).closest(PRESSED) === null
    ? line
    : undefined;
}

function wholeOf(line: HTMLElement): string {
  return line.title === "" ? line.innerText : line.title;
}

function makeBox(): HTMLElement {
  const box = document.createElement("div");
  box.popover = "auto";
  box.className = "knob-reasons";
  box.dataset["testid"] = "whole-text";
  // A reader of the screen has the line itself, which is whole there.
  box.ariaHidden = "true";
  document.body.append(box);
  return box;
}

function show(box: HTMLElement, line: HTMLElement): void {
  box.textContent = wholeOf(line);
  box.showPopover();
  const { left, bottom, top } = line.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = bottom + height < window.innerHeight;
  box.style.setProperty("position-area", "none");
  box.style.margin = "0";
  box.style.left = `${String(Math.max(0, Math.min(left, window.innerWidth - width)))}px`;
  box.style.top = `${String(below ? bottom : Math.max(0, top - height))}px`;
}

/** Keeps what is cut within reach until the answered function is called. */
export function keepWhole(): () => void {
  const box = makeBox();
  const gone = new AbortController();
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    heard: (event: DocumentEventMap[Name]) => void,
  ): void => document.addEventListener(name, heard, { signal: gone.signal, capture: true });
  on("pointerover", (event) => {
    const line = cutLine(event);
    if (line?.title === "") line.title = line.innerText;
  });
  on("click", (event) => {
    const line = cutLine(event);
    if (line !== undefined) show(box, line);
  });
  // The next press of Tab may come to any line that is cut by then.
  on("keydown", ({ key }) => {
    if (key !== "Tab") return;
    for (const line of document.querySelectorAll<HTMLElement>(LINES))
      if (isCut(line) && line.closest(PRESSED) === null) line.tabIndex = 0;
      else if (line !== document.activeElement) line.removeAttribute("tabindex");
  });
  on("focusin", (event) => {
    const line = cutLine(event);
    if (line !== undefined && line === event.target && line.matches(":focus-visible"))
      show(box, line);
  });
  on("focusout", () => box.hidePopover());
  return () => {
    gone.abort();
    box.remove();
  };
}
