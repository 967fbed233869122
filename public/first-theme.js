/* global document, localStorage, location, matchMedia, URL */
// Before the first paint: whether scripts will draw the page, which none do that was opened as a file, and the theme that was chosen here, else the one the system prefers. The app reads the same place (`src/state/theme.ts`).
(() => {
  const root = new URL("./", document.currentScript.src).pathname;
  let kept = null;
  try {
    kept = localStorage.getItem(`schedscope:${root}:theme`);
  } catch {
    // Denied: the system's preference holds.
  }
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.scripts = location.protocol === "file:" ? "file" : "on";
  document.documentElement.dataset.theme = ["dark", "light", "projector"].includes(kept) ? kept : light ? "light" : "dark";
})();
