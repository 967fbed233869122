/* global addEventListener, document, localStorage, location, matchMedia, origin, URL */
// Before the first paint: whether scripts will draw the page, which none do that was opened as a file or stands in a frame without an origin, and the theme that was chosen here, else the one the system prefers. The app reads the same place (`src/state/theme.ts`).
(() => {
  const root = new URL("./", document.currentScript.src).pathname;
  let kept = null;
  try {
    kept = localStorage.getItem(`schedscope:${root}:theme`);
  } catch {
    // Denied: the system's preference holds.
  }
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  const sandbox = origin === "null" && location.protocol !== "file:";
  document.documentElement.dataset.scripts = sandbox ? "sandbox" : location.protocol === "file:" ? "file" : "on";
  addEventListener("DOMContentLoaded", () => {
    for (const line of document.querySelectorAll(".sandbox-line"))
      // What the address says is shown where the link leads to. In every other frame the line would stand before the links that skip the header.
      if (sandbox) line.querySelector("a").hash = location.hash;
      else line.remove();
  });
  document.documentElement.dataset.theme = ["dark", "light", "projector"].includes(kept) ? kept : light ? "light" : "dark";
})();
