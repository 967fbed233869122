// For a page that holds embeds of schedscope (docs/use/embeds.md). A clicker's keys while an embed has
// the focus reach this page as if they had been pressed here, and the focus comes back after a
// click.
//
//   <script type="module" src="https://SITE/helpers/embed.js"></script>

/** By code: name and number; some decks still go by the number. */
const KEYS = {
  PageUp: ["PageUp", 33],
  PageDown: ["PageDown", 34],
  Escape: ["Escape", 27],
  F5: ["F5", 116],
  KeyB: ["b", 66],
  Period: [".", 190],
};

/** The embed a message comes from; undefined for other windows. */
export function embedOf(source) {
  return [...document.querySelectorAll("iframe")].find((frame) => frame.contentWindow === source);
}

/** Calls `hear(message, frame)` for messages of this page's embeds until the result is called. */
export function hearEmbeds(hear) {
  const listen = ({ data, source }) => {
    const frame = typeof data?.schedscope === "string" ? embedOf(source) : undefined;
    if (frame !== undefined) hear(data, frame);
  };
  window.addEventListener("message", listen);
  return () => window.removeEventListener("message", listen);
}

/**
 * Sends an embed to a step, from 1. To any origin: a step is no secret, and an embed in a sandbox
 * has no origin that could be named.
 */
export function goToStep(frame, n) {
  frame.contentWindow.postMessage({ schedscope: "step", n }, "*");
}

/** Asks an embed for its present step; it answers `{ schedscope: "steps", count, at }`. */
export function askSteps(frame) {
  frame.contentWindow.postMessage({ schedscope: "steps" }, "*");
}

const FORWARD = ["PageDown", "ArrowRight", "Space", "KeyN"];
const BACK = ["PageUp", "ArrowLeft", "KeyP"];

/**
 * Whether a key is typed or chosen with: it belongs to the field that has the focus, inside a
 * shadow tree too.
 */
function isTyped(event) {
  const [target] = event.composedPath();
  return target?.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target?.tagName);
}

/**
 * The keys of a deck walk through the steps of the embed that `shown()` gives, undefined for none,
 * and go on to the deck after its last.
 */
export function walkSteps(shown) {
  const places = new WeakMap();
  hearEmbeds((message, frame) => {
    if (message.schedscope === "steps") places.set(frame, message);
  });
  // Before the deck hears of it.
  window.addEventListener(
    "keydown",
    (event) => {
      const frame = shown();
      const { count, at } = places.get(frame) ?? { count: 0, at: 0 };
      const to = FORWARD.includes(event.code) ? at + 1 : BACK.includes(event.code) ? at - 1 : 0;
      if (
        !frame ||
        isTyped(event) ||
        event.isComposing ||
        to < 1 ||
        to > count ||
        event.shiftKey ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      event.stopImmediatePropagation();
      goToStep(frame, to);
    },
    true,
  );
}

hearEmbeds((message) => {
  if (message.schedscope === "released") window.focus();
  if (message.schedscope !== "key" || !Object.hasOwn(KEYS, message.code)) return;
  const [key, keyCode] = KEYS[message.code];
  window.focus();
  // Released too: a deck that repeats a key while it is down would go on to its end.
  for (const type of ["keydown", "keyup"])
    document.body.dispatchEvent(
      new KeyboardEvent(type, {
        key,
        keyCode,
        code: message.code,
        bubbles: true,
        cancelable: true,
      }),
    );
});
