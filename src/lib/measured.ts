// Who knows the size of an element as state. While a sheet of paper is laid out no observer is told
// of a size: whoever changes one for paper asks these to measure again.

export const measured = new Set<() => void>();

/** Tells of the size of a node without padding, now and at every change. Returns what ends it. */
export function observeSize(node: Element, tell: (size: DOMRectReadOnly) => void): () => void {
  const observer = new ResizeObserver(([entry]) => entry && tell(entry.contentRect));
  const again = (): void => tell(node.getBoundingClientRect());
  observer.observe(node);
  measured.add(again);
  return () => {
    observer.disconnect();
    measured.delete(again);
  };
}
