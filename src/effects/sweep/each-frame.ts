// News of many runs, handed on once a frame: each time, the page is drawn anew.

export interface EachFrame<T> {
  readonly add: (item: T) => void;
  /** Hands on what is there without waiting for the frame. */
  readonly now: () => void;
}

/** `tell` has everything that was added since it was called last, at least one. */
export function eachFrame<T>(tell: (items: readonly T[]) => void): EachFrame<T> {
  let items: T[] = [];
  let frame: number | undefined;
  const now = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    const told = items;
    items = [];
    if (told.length > 0) tell(told);
  };
  return {
    add: (item) => {
      items.push(item);
      frame ??= requestAnimationFrame(now);
    },
    now,
  };
}
