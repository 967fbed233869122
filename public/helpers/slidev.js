// For a deck of Slidev (docs/use/embeds.md): the clicker walks through the steps of the embed on the
// slide, then leaves the slide. In the deck's own index.html:
//
//   <body><script type="module" src="https://SITE/helpers/slidev.js"></script></body>

import { askSteps, walkSteps } from "./embed.js";

// Slidev keeps the slides before and after in the page, hidden; the next one of the presenter's
// view lies outside #slideshow.
const embeds = () => [...document.querySelectorAll("#slideshow iframe[src*='/embed/']")];

/**
 * Slidev does not report its overview to a built deck's page. So an embed counts as covered if an
 * element outside the slide lies over its middle.
 */
function isCovered(frame) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return above !== null && !document.querySelector("#slideshow")?.parentElement?.contains(above);
}

walkSteps(() => embeds().find((frame) => frame.checkVisibility() && !isCovered(frame)));
// Embeds that were ready before this script was loaded; later ones report when they are ready.
embeds().forEach(askSteps);
