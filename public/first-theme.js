/* global addEventListener, document, localStorage, location, matchMedia, origin, URL, window */
// Before the first paint: whether scripts will draw the page, which none do that was opened as a
// file or stands in a frame without an origin, or whose files are lost, and the theme that was
// chosen here, else the one the system prefers. The app reads the same place
// (`src/state/kept/theme.ts`).
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
  /** `why`: `on`, or the notice that stands in place of the app. */
  const tell = (why) => {
    document.documentElement.dataset.scripts = why;
    for (const name of ["file", "sandbox", "lost"])
      // Hidden without the help of styles, which may be lost as well.
      for (const line of document.querySelectorAll(`.${name}-line`)) line.hidden = name !== why;
  };
  const why = sandbox ? "sandbox" : location.protocol === "file:" ? "file" : "on";
  tell(why);
  addEventListener("DOMContentLoaded", () => {
    tell(why);
    for (const line of document.querySelectorAll(".sandbox-line"))
      // What the address says is shown where the link leads to. In every other frame the line would
      // stand before the links that skip the header.
      if (sandbox) line.querySelector("a").hash = location.hash;
      else line.remove();
  });
  // Every script of the page has run by then, or did not come.
  addEventListener("load", () => {
    if (why !== "on") return;
    if (window.schedscope === undefined) tell("lost");
    // It would stand before the links that skip the header, too.
    else for (const line of document.querySelectorAll(".lost-line")) line.remove();
  });
  document.documentElement.dataset.theme = ["dark", "light", "projector"].includes(kept)
    ? kept
    : light
      ? "light"
      : "dark";
})();
