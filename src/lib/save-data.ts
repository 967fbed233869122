// Whether the viewer asked for less data: the page then fetches only what is asked for.

/** Browsers with the Save-Data preference. */
interface SaveData extends Navigator {
  readonly connection?: { readonly saveData?: boolean };
}

/** Save-Data or `prefers-reduced-data` is on. */
export function wantsLessData(): boolean {
  return (
    (navigator as SaveData).connection?.saveData === true ||
    matchMedia("(prefers-reduced-data: reduce)").matches
  );
}
