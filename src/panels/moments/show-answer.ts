// Scrolls to the answer of the selected wake-up where the page is so narrow that the answer is
// below the picture.

/**
 * Call this once the selection is drawn. Where the answers are beside the picture, nothing moves.
 */
export function showAnswer(): void {
  const heading = document.querySelector('[data-testid="selected-wake"] h2');
  const dock = heading?.closest(".dock");
  if (
    heading === null ||
    dock === undefined ||
    dock === null ||
    heading.getClientRects().length === 0
  )
    return;
  if (!isWhole(dock) && !isWhole(heading)) heading.scrollIntoView({ block: "start" });
}

/** Whether all of it lies between the window's upper and lower edge. */
function isWhole(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}
