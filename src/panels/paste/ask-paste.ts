// Opens the paste box from anywhere. Whoever asks needs to know no dialog; what opens it comes a
// moment after the page, and then opens what was asked for before.

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
