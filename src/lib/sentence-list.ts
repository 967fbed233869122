// A list inside a sentence.

const AND = new Intl.ListFormat("en-GB");

/** `["a", "b", "c"]` -> `"a, b and c"`. */
export function sentenceList(items: readonly string[]): string {
  return AND.format(items);
}
