// Who knows the size of an element as state. While a sheet of paper is laid out no observer is told of a size: whoever changes one for paper asks
// these to measure again.

export const measured = new Set<() => void>();

/** Tells of a size now and at every change. Returns what ends it. */
export function observeSize(node: Element, tell: () => void): () => void {
  const observer = new ResizeObserver(tell);
  observer.observe(node);
  measured.add(tell);
  return () => {
    observer.disconnect();
    measured.delete(tell);
  };
}
