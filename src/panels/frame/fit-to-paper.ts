// The picture on a printed sheet. No element observes its size while the browser lays out a sheet,
// so the picture keeps the dots it has on screen, and the sheet shows them as much smaller as it
// has to (print.css). A picture that is narrower than a sheet is laid out as wide as one and drawn
// anew before the browser begins.

import { flushSync } from "react-dom";
import { remeasure } from "../../lib/element-size.ts";
import { beforePaper } from "../../lib/use-media.ts";

/** An upright A4 sheet within the page's margins, CSS px. */
const SHEET = { width: 688, height: 1016 };
/**
 * Each pass uses the sizes of the last one: the picture's heights depend on its width, the heights
 * of the lanes on the rows above them, and the places of the drops on both.
 */
const PASSES = 3;

/**
 * The height of everything but figures and picture on an upright sheet (question, names, source of
 * the runs), and the height of a row of two figures, CSS px.
 */
const BESIDE_PX = 250;
const ROW_PX = 41;

/**
 * How much of an upright sheet is not the picture's, so that figures and picture share the first
 * sheet; undefined on a page without figures.
 */
function heightOver(): number | undefined {
  const figures = document.querySelectorAll(".rail .score-row").length;
  const notices = document.querySelector(".notices")?.getBoundingClientRect().height ?? 0;
  return figures === 0 ? undefined : BESIDE_PX + Math.ceil(figures / 2) * ROW_PX + notices;
}

/** Measures the picture whenever the page is printed. Returns what ends it. */
export function fitToPaper(): () => void {
  const { style, dataset } = document.documentElement;
  const measure = (): void => {
    const stage = document.querySelector(".stage");
    const box = stage?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || style.getPropertyValue("--stage-width") !== "")
      return;
    // Where the screen has room for one side, paper has the other below it.
    const storeys = stage?.querySelector("[data-narrow=true]") == null ? 1 : 2;
    const room = heightOver();
    const widens = box.width < SHEET.width && storeys === 2;
    if (widens) dataset["sheet"] = "";
    style.setProperty("--stage-width", `${widens ? SHEET.width : box.width}px`);
    style.setProperty(
      "--stage-height",
      `${widens ? SHEET.height - (room ?? BESIDE_PX) : box.height * storeys}px`,
    );
    if (room !== undefined) style.setProperty("--sheet-height", `calc(100vh - ${room}px)`);
  };
  const drawAnew = (): void => {
    if (dataset["sheet"] === undefined) return;
    for (let pass = 0; pass < PASSES; pass += 1)
      flushSync(() => remeasure.forEach((measure) => measure()));
  };
  const forget = (): void => {
    for (const name of ["--stage-width", "--stage-height", "--sheet-height"])
      style.removeProperty(name);
    if (dataset["sheet"] === undefined) return;
    delete dataset["sheet"];
    flushSync(() => remeasure.forEach((measure) => measure()));
  };
  beforePaper.add(measure);
  window.addEventListener("beforeprint", drawAnew);
  window.addEventListener("afterprint", forget);
  return () => {
    beforePaper.delete(measure);
    window.removeEventListener("beforeprint", drawAnew);
    window.removeEventListener("afterprint", forget);
  };
}
