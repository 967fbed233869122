// To a knob's control, as a viewer gets there: by the switches of the page that hide it.

import { alongWay } from "./press.ts";

/**
 * Opens the rail and the list of further knobs as far as it must, and puts the focus on the knob.
 */
export function focusKnob(path: string): void {
  alongWay(["rail-open", "knobs-more", `knob-card-${path}`], (card) => {
    card.scrollIntoView({ block: "center" });
    control(card)?.focus();
  });
}

/**
 * The value's own control before the buttons around it; of a radio group the choice in force, where
 * its one tab stop is.
 */
function control(card: HTMLElement): HTMLElement | null {
  const fields = ".knob-controls :is(input, select, button):not(:disabled)";
  return (
    card.querySelector<HTMLElement>(".knob-controls input:checked") ??
    card.querySelector<HTMLElement>(fields)
  );
}
