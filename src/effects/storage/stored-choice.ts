// A choice of the viewer that outlives the page. Storage may be denied: then it lasts as long as
// the page.

/** The key carries the site's path: other sites of the same host have their own. */
function keyOf(root: string, name: string): string {
  return `schedscope:${root}:${name}`;
}

/** What was kept; null if nothing was, or storage is denied. */
export function keptChoice(
  root: string,
  storage: () => Pick<Storage, "getItem">,
  name: string,
): string | null {
  try {
    return storage().getItem(keyOf(root, name));
  } catch {
    return null;
  }
}

export function keepChoice(
  root: string,
  storage: () => Pick<Storage, "setItem">,
  name: string,
  value: string,
): void {
  try {
    storage().setItem(keyOf(root, name), value);
  } catch {
    // Denied: nothing is lost but the memory of it.
  }
}
