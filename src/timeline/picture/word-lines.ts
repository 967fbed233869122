// Words broken into lines. Pure: the width of words is asked for.

/**
 * Words in lines no wider than `width`; a word that is wider alone is cut into pieces. What `most`
 * lines do not hold ends in "…".
 */
export function linesOf(
  text: string,
  width: number,
  most: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < most) {
    const fits = fitting(rest, width, widthOf);
    const space = fits < rest.length ? rest.lastIndexOf(" ", fits) : -1;
    const stop =
      space > fits / 2 || (space > 0 && widthOf(wordAt(rest, space + 1)) <= width) ? space : fits;
    lines.push(rest.slice(0, stop).trimEnd());
    rest = rest.slice(stop).trimStart();
  }
  const last = lines.at(-1);
  if (rest === "" || last === undefined) return lines;
  return [...lines.slice(0, -1), `${last.slice(0, fitting(last, width - widthOf("…"), widthOf))}…`];
}

function wordAt(text: string, at: number): string {
  return text.slice(at).split(" ", 1)[0] ?? "";
}

/** How many characters fit: at least one. */
function fitting(text: string, width: number, widthOf: (text: string) => number): number {
  let least = 1;
  let most = Math.min(text.length, Math.ceil(width));
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(text.slice(0, middle)) <= width) least = middle;
    else most = middle - 1;
  }
  return least;
}
