// How different two sides look: the share of what is drawn that differs, dot by dot.

import type { Lab } from "./lab.ts";

/**
 * The share of the dots drawn on either side that differs between them; in the rows of `cpus`
 * alone where any are named.
 */
export async function differentInk(lab: Lab, cpus: readonly number[]): Promise<number> {
  return lab.page.evaluate((wanted) => {
    const drawn = (side: string): { readonly data: Uint32Array; readonly width: number }[] =>
      [
        ...document.querySelectorAll(
          `[data-testid=lanes-${side}], [data-testid=lock-lane-${side}]`,
        ),
      ].flatMap((track) => {
        const isLanes = track.getAttribute("data-testid")?.startsWith("lanes") === true;
        return [...track.querySelectorAll("canvas")].map((canvas) => {
          const image =
            canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ??
            new ImageData(1, 1);
          const data = new Uint32Array(image.data.buffer);
          if (wanted.length > 0) {
            const top = canvas.getBoundingClientRect().top;
            const scale = canvas.height / canvas.getBoundingClientRect().height;
            const rows = wanted.flatMap(
              (cpu) =>
                track.querySelector(`[role=row][data-cpu="${cpu}"]`)?.getBoundingClientRect() ?? [],
            );
            const inside = (y: number): boolean =>
              isLanes &&
              rows.some((row) => y >= (row.top - top) * scale && y < (row.bottom - top) * scale);
            for (let y = 0; y < canvas.height; y += 1)
              if (!inside(y)) data.fill(0, y * canvas.width, (y + 1) * canvas.width);
          }
          return { data, width: canvas.width };
        });
      });
    const [a, b] = [drawn("a"), drawn("b")];
    let ink = 0;
    let different = 0;
    a.forEach((one, at) => {
      const other = b[at];
      if (other === undefined) return;
      const counts = new Map<number, number>();
      for (const { data } of [one, other]) {
        let from = 0;
        for (let at = 1; at <= data.length; at += 1) {
          const dot = data[from] ?? 0;
          if (at < data.length && data[at] === dot) continue;
          counts.set(dot, (counts.get(dot) ?? 0) + at - from);
          from = at;
        }
      }
      const ground = [...counts]
        .sort((left, right) => right[1] - left[1])
        .filter(([dot]) => dot !== 0 || wanted.length === 0)[0]?.[0];
      const width = Math.min(one.width, other.width);
      const height = Math.min(one.data.length / one.width, other.data.length / other.width);
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          const [left, right] = [one.data[y * one.width + x], other.data[y * other.width + x]];
          if ((left === ground || left === 0) && (right === ground || right === 0)) continue;
          ink += 1;
          if (left !== right) different += 1;
        }
      }
    });
    return ink === 0 ? 0 : different / ink;
  }, cpus);
}
