// A plugin of reveal.js (docs/embeds.md): the clicker walks through the steps of the embed on the slide, then leaves the slide.
//
//   import Schedscope from "https://SITE/helpers/reveal.js";
//   Reveal.initialize({ plugins: [Schedscope] });

import { askSteps, walkSteps } from "./embed.js";

export default {
  id: "schedscope",
  init(deck) {
    const shown = () => deck.getCurrentSlide()?.querySelector("iframe[src*='/embed/']");
    walkSteps(shown);
    deck.on("slidechanged", () => {
      const frame = shown();
      if (frame) askSteps(frame);
    });
  },
};
