// To a knob's control, as a viewer gets there: by the switches of the page that hide it. Knows their test ids, which are a contract.

/** Frames in which the page may draw what was just opened. */
const FRAMES_MAX = 20;

function part(testId: string): HTMLElement | null {
  return document.querySelector(`[data-testid="${CSS.escape(testId)}"]`);
}

/** Opens the rail and the list of further knobs as far as it must, and puts the focus on the knob. */
export function focusKnob(path: string): void {
  if (part("rail") === null) part("rail-open")?.click();
  whenThere("knobs", () => {
    const more = part("knobs-more");
    if (part(`knob-card-${path}`) === null && more?.getAttribute("aria-expanded") === "false") more.click();
    whenThere(`knob-card-${path}`, (card) => {
      card.scrollIntoView({ block: "center" });
      control(card)?.focus();
    });
  });
}

/** The value's own control before the buttons around it; of a radio group the choice in force, where its one tab stop is. */
function control(card: HTMLElement): HTMLElement | null {
  const fields = ".knob-controls :is(input, select, button):not(:disabled)";
  return card.querySelector<HTMLElement>(".knob-controls input:checked") ?? card.querySelector<HTMLElement>(fields);
}

function whenThere(testId: string, act: (element: HTMLElement) => void, frames = FRAMES_MAX): void {
  const element = part(testId);
  if (element !== null) act(element);
  else if (frames > 0) requestAnimationFrame(() => whenThere(testId, act, frames - 1));
}
