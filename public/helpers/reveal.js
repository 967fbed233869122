// A plugin of reveal.js (docs/embeds.md): the clicker walks through the steps of the embed on the slide, then leaves the slide.
//
//   import Schedscope from "https://SITE/helpers/reveal.js";
//   Reveal.initialize({ plugins: [Schedscope] });

import { askSteps, goToStep, hearEmbeds } from "./embed.js";

const FORWARD = ["PageDown", "ArrowRight", "Space", "KeyN"];
const BACK = ["PageUp", "ArrowLeft", "KeyP"];

export default {
  id: "schedscope",
  init(deck) {
    const stands = new WeakMap();
    hearEmbeds((message, frame) => {
      if (message.schedscope === "steps") stands.set(frame, message);
    });
    const shown = () => deck.getCurrentSlide()?.querySelector("iframe[src*='/embed/']");
    deck.on("slidechanged", () => {
      const frame = shown();
      if (frame) askSteps(frame);
    });
    // Before reveal.js hears of it.
    window.addEventListener(
      "keydown",
      (event) => {
        const frame = shown();
        const { count, at } = stands.get(frame) ?? { count: 0, at: 0 };
        const to = FORWARD.includes(event.code) ? at + 1 : BACK.includes(event.code) ? at - 1 : 0;
        if (!frame || to < 1 || to > count || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        goToStep(frame, to);
      },
      true,
    );
  },
};
