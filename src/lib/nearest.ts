// The name that a misspelt one means. Knows letters only.

/** Names are short: an absurdly long one is no slip of a finger, and would cost quadratic time. */
const LENGTH_MAX = 80;

/**
 * The name that is at most a third of `wrong` away in inserted, left out, changed and swapped
 * letters; case does not count.
 */
export function nearest(wrong: string, names: readonly string[]): string | undefined {
  if (wrong === "" || wrong.length > LENGTH_MAX) return undefined;
  const near = names
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near !== undefined && near.distance <= Math.floor(wrong.length / 3)
    ? near.name
    : undefined;
}

/** Optimal string alignment: the distance of Levenshtein with neighbours swapped as one step. */
function editDistance(from: string, to: string): number {
  let last: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + Number(from[i - 1] !== to[j - 1]);
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? (last[j - 2] ?? 0) + 1
          : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    last = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
