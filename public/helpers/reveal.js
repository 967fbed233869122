// A plugin of reveal.js (docs/use/embeds.md): the clicker walks through the steps of the embed on the
// slide, then leaves the slide.
//
//   const plugins = await import("https://SITE/helpers/reveal.js").then((helper) =>
// [helper.default], () => []);
//   Reveal.initialize({ plugins });

import { askSteps, walkSteps } from "./embed.js";

export default {
  id: "schedscope",
  init(deck) {
    const embed = () => deck.getCurrentSlide()?.querySelector("iframe[src*='/embed/']");
    // A black screen and the overview hide the embed.
    walkSteps(() => (deck.isPaused() || deck.isOverview() ? undefined : embed()));
    deck.on("slidechanged", () => {
      const frame = embed();
      if (frame) askSteps(frame);
    });
  },
};
