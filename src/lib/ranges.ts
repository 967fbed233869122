// Whole numbers as ranges: 3, 4, 5, 9 are 3 to 5 and 9. Knows nothing of what they count.

/** Ascending numbers without doubles, as ranges with both ends. */
export function rangesOf(
  numbers: readonly number[],
): readonly (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  for (const each of numbers) {
    const open = ranges.at(-1);
    if (open?.[1] === each - 1) open[1] = each;
    else ranges.push([each, each]);
  }
  return ranges;
}

/** `[3, 4, 5, 9]` -> `"3–5, 9"`. */
export function rangeWords(numbers: readonly number[], dash = "–", comma = ", "): string {
  return rangesOf(numbers)
    .map(([first, last]) =>
      first === last ? String(first) : `${String(first)}${dash}${String(last)}`,
    )
    .join(comma);
}

/**
 * A list with each number once and in order, as the kernel prints the CPUs of a mask: `"2,0-1,0"`
 * -> `"0-2"`. Like cpulist_parse(), it takes repeats; what is no list stays as it is.
 */
export function plainRanges(text: string): string {
  const ends = text.split(",").map((range) => /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(range));
  const numbers = new Set<number>();
  for (const [, first = "", last = first] of ends.map((found) => found ?? [])) {
    if (first === "" || Number(last) < Number(first)) return text;
    for (let number = Number(first); number <= Number(last); number += 1) numbers.add(number);
  }
  return rangeWords(
    [...numbers].sort((one, other) => one - other),
    "-",
    ",",
  );
}

/**
 * `"3-5,9"` -> `[3, 4, 5, 9]`, in the order of the text. What is no number or range is left out.
 */
export function numbersIn(text: string): readonly number[] {
  return text.split(",").flatMap((range) => {
    const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(range.trim()) ?? [];
    if (first === "") return [];
    return Array.from(
      { length: Math.max(0, Number(last) - Number(first) + 1) },
      (_, at) => Number(first) + at,
    );
  });
}
