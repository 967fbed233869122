// News of many runs, handed on once a frame: each time, the page is drawn anew.

export interface EachFrame<T> {
  readonly add: (item: T) => void;
  /** Hands on what is there without waiting for the frame. */
  readonly now: () => void;
}

/** `handOn` has everything that was added since it was called last, at least one. */
export function eachFrame<T>(handOn: (items: readonly T[]) => void): EachFrame<T> {
  let items: T[] = [];
  let frame: number | undefined;
  const now = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    const added = items;
    items = [];
    if (added.length > 0) handOn(added);
  };
  return {
    add: (item) => {
      items.push(item);
      frame ??= requestAnimationFrame(now);
    },
    now,
  };
}
