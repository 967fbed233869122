// Arrow keys among tiles that lie in rows: to the nearest tile on that side. Knows boxes only.

export interface Box {
  readonly left: number;
  readonly top: number;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

export function isArrow(key: string): key is Arrow {
  return /^Arrow(?:Left|Right|Up|Down)$/.test(key);
}

/**
 * The place of the tile that an arrow leads to from the tile at `from`; undefined where there is
 * none on that side. Left and right go on to the neighbouring row, as reading does.
 */
export function tileBeside(boxes: readonly Box[], from: number, key: Arrow): number | undefined {
  const next = from + (key === "ArrowRight" ? 1 : -1);
  if (key === "ArrowLeft" || key === "ArrowRight")
    return next >= 0 && next < boxes.length ? next : undefined;
  const here = boxes[from];
  if (here === undefined) return undefined;
  const sign = key === "ArrowDown" ? 1 : -1;
  let best: { readonly at: number; readonly rows: number; readonly columns: number } | undefined;
  boxes.forEach((box, at) => {
    const rows = (box.top - here.top) * sign;
    const columns = Math.abs(box.left - here.left);
    if (rows < 1) return;
    const nearer =
      best === undefined || rows < best.rows || (rows === best.rows && columns < best.columns);
    if (nearer) best = { at, rows, columns };
  });
  return best?.at;
}
