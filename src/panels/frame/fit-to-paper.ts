// The picture on a printed sheet. No element observes its size while the browser lays out a sheet, so the picture keeps the dots it has on
// screen, and the sheet shows them as much smaller as it has to (print.css).

import { beforePaper } from "../../lib/use-media.ts";

/** Measures the picture whenever the page is printed. Returns what ends it. */
export function fitToPaper(): () => void {
  const { style } = document.documentElement;
  const measure = (): void => {
    const stage = document.querySelector(".stage");
    const box = stage?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || style.getPropertyValue("--stage-width") !== "") return;
    // Where the screen has room for one side, paper has the other below it.
    const storeys = stage?.querySelector("[data-narrow=true]") == null ? 1 : 2;
    style.setProperty("--stage-width", `${box.width}px`);
    style.setProperty("--stage-height", `${box.height * storeys}px`);
  };
  const forget = (): void => {
    for (const name of ["--stage-width", "--stage-height"]) style.removeProperty(name);
  };
  beforePaper.add(measure);
  window.addEventListener("afterprint", forget);
  return () => {
    beforePaper.delete(measure);
    window.removeEventListener("afterprint", forget);
  };
}
