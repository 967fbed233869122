// For a deck of Slidev (docs/embeds.md): the clicker walks through the steps of the embed on the slide, then leaves the slide. In the deck's
// own index.html:
//
//   <body><script type="module" src="https://SITE/helpers/slidev.js"></script></body>

import { askSteps, walkSteps } from "./embed.js";

// Slidev keeps the slides before and after in the page, hidden; the next one of the presenter's view lies outside #slideshow.
const embeds = () => [...document.querySelectorAll("#slideshow iframe[src*='/embed/']")];

walkSteps(() => embeds().find((frame) => frame.checkVisibility()));
// Those that told before this was loaded; later ones tell when they come.
embeds().forEach(askSteps);
