// The picture on a printed sheet. No element observes its size while the browser lays out a sheet, so the picture keeps the dots it has on
// screen, and the sheet shows them as much smaller as it has to (print.css).

/** Measures the picture whenever the page is printed. Returns what ends it. */
export function fitToPaper(): () => void {
  const { style } = document.documentElement;
  const measure = (): void => {
    const box = document.querySelector(".stage")?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    style.setProperty("--stage-width", `${box.width}px`);
    style.setProperty("--stage-height", `${box.height}px`);
  };
  const forget = (): void => {
    for (const name of ["--stage-width", "--stage-height"]) style.removeProperty(name);
  };
  window.addEventListener("beforeprint", measure);
  window.addEventListener("afterprint", forget);
  return () => {
    window.removeEventListener("beforeprint", measure);
    window.removeEventListener("afterprint", forget);
  };
}
