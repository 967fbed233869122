/* global addEventListener, document, localStorage, location, matchMedia, origin, URL, window */
// Runs before the first paint. Decides whether scripts will draw the page: they do not if the page
// was opened as a file, is in a frame without an origin, or has lost its files. Sets the theme that
// the viewer chose here, else the one that the system prefers; the app reads it from the same
// storage (`src/effects/storage/theme.ts`).
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
  /** `why`: `on`, or the notice that is shown in place of the app. */
  const report = (why) => {
    document.documentElement.dataset.scripts = why;
    for (const name of ["file", "sandbox", "lost"])
      // Hidden without the help of styles, which may be lost as well.
      for (const line of document.querySelectorAll(`.${name}-line`)) line.hidden = name !== why;
  };
  const why = sandbox ? "sandbox" : location.protocol === "file:" ? "file" : "on";
  report(why);
  addEventListener("DOMContentLoaded", () => {
    report(why);
    for (const line of document.querySelectorAll(".sandbox-line"))
      // The page that the link leads to shows the run of the address. In every other frame the line
      // would come before the links that skip the header.
      if (sandbox) line.querySelector("a").hash = location.hash;
      else line.remove();
  });
  // By then every script of the page has run or has failed to load.
  addEventListener("load", () => {
    if (why !== "on") return;
    if (window.schedscope === undefined) report("lost");
    // This line would come before the links that skip the header, too.
    else for (const line of document.querySelectorAll(".lost-line")) line.remove();
  });
  document.documentElement.dataset.theme = ["dark", "light", "projector"].includes(kept)
    ? kept
    : light
      ? "light"
      : "dark";
})();
