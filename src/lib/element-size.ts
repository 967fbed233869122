// Sizes of elements, observed. A ResizeObserver reports nothing while a sheet of paper is laid out:
// code that changes a size for paper calls all of `remeasure`.

export const remeasure = new Set<() => void>();

/** Reports the size of a node without padding, now and at every change. Returns the way to stop. */
export function observeSize(node: Element, report: (size: DOMRectReadOnly) => void): () => void {
  const observer = new ResizeObserver(([entry]) => entry && report(entry.contentRect));
  const again = (): void => report(node.getBoundingClientRect());
  observer.observe(node);
  remeasure.add(again);
  return () => {
    observer.disconnect();
    remeasure.delete(again);
  };
}
