// What printing needs beyond a style sheet. No element observes its size while the browser lays out a sheet, so the picture keeps the dots it
// has on screen, and the sheet shows them smaller.

import type { Store } from "../state/store.ts";

/** Width of text on A4 and on Letter with the margins of print.css, CSS px; the narrower of both. */
const SHEET_PX = 685;

/** Dresses the page in the theme in force, on paper light; `dress` does so again. */
export function dressForPaper(store: Store): () => void {
  const print = window.matchMedia("print");
  const { style, dataset } = document.documentElement;
  const dress = (): void => {
    dataset["theme"] = print.matches ? "light" : store.getState().theme;
  };
  print.addEventListener("change", dress);
  window.addEventListener("beforeprint", () => {
    const box = document.querySelector(".stage-box")?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    style.setProperty("--stage-width", `${box.width}px`);
    style.setProperty("--stage-height", `${box.height}px`);
    style.setProperty("--stage-zoom", String(Math.min(1, SHEET_PX / box.width)));
  });
  window.addEventListener("afterprint", () => {
    for (const name of ["--stage-width", "--stage-height", "--stage-zoom"]) style.removeProperty(name);
  });
  dress();
  return dress;
}
