// Several things in a sentence.

const AND = new Intl.ListFormat("en-GB");

/** `["a", "b", "c"]` -> `"a, b and c"`. */
export function listed(things: readonly string[]): string {
  return AND.format(things);
}
