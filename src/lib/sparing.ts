// Whether the viewer wants the connection spared.

/** The browsers that tell whether a connection is to be spared. */
interface Sparing extends Navigator {
  readonly connection?: { readonly saveData?: boolean };
}

/** Nothing is fetched that nobody asked for. */
export function isSparing(): boolean {
  return (
    (navigator as Sparing).connection?.saveData === true ||
    matchMedia("(prefers-reduced-data: reduce)").matches
  );
}
