// What a plain drag on the lanes does, and where the choice is kept. Storage may be denied: then it lasts as long as the page.

/** `area` selects, and Shift+drag pans; `pan` is the other way round. Touch always pans. */
export type Drag = "area" | "pan";

/** The key carries the site's path: other sites of the same host have their own. */
function dragKey(root: string): string {
  return `schedscope:${root}:drag`;
}

export function firstDrag(root: string, storage: () => Pick<Storage, "getItem">): Drag {
  try {
    return storage().getItem(dragKey(root)) === "pan" ? "pan" : "area";
  } catch {
    return "area";
  }
}

export function keepDrag(root: string, storage: () => Pick<Storage, "setItem">, drag: Drag): void {
  try {
    storage().setItem(dragKey(root), drag);
  } catch {
    // Denied: nothing is lost but the memory of it.
  }
}
