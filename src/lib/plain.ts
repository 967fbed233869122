// Text from files and links as it may stand on the page. Knows characters only.

/** Marks, embeddings, overrides and isolates of the bidirectional algorithm: they would turn around what stands beside them. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Without characters that reorder their surroundings. */
export function plainText(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, "");
}
