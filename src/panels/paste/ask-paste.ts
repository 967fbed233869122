// Opens the paste box from anywhere, so that a caller needs no dialog. The host of the box loads a
// moment after the page, and then opens the box if a caller asked for it before.

let asked = false;
let answer: (() => void) | undefined;

export function askPaste(): void {
  asked = answer === undefined;
  answer?.();
}

/** `open` is called from now on, until the returned function is. */
export function answerPaste(open: () => void): () => void {
  answer = open;
  if (asked) askPaste();
  return () => {
    answer = undefined;
  };
}
