// The picture on a printed sheet. No element observes its size while the browser lays out a sheet, so the picture keeps the dots it has on
// screen, and the sheet shows them smaller.

/** Width of text on A4 and on Letter with the margins of print.css, CSS px; the narrower of both. */
const SHEET_PX = 685;

/** Measures the picture whenever the page is printed. Returns what ends it. */
export function fitToPaper(): () => void {
  const { style } = document.documentElement;
  const measure = (): void => {
    const box = document.querySelector(".stage")?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    style.setProperty("--stage-width", `${box.width}px`);
    style.setProperty("--stage-height", `${box.height}px`);
    style.setProperty("--stage-zoom", String(Math.min(1, SHEET_PX / box.width)));
  };
  const forget = (): void => {
    for (const name of ["--stage-width", "--stage-height", "--stage-zoom"]) style.removeProperty(name);
  };
  window.addEventListener("beforeprint", measure);
  window.addEventListener("afterprint", forget);
  return () => {
    window.removeEventListener("beforeprint", measure);
    window.removeEventListener("afterprint", forget);
  };
}
