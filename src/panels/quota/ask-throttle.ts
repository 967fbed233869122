// Asks for why a group was throttled, from anywhere: the page opens the tab that says it, and the
// panel comes into sight once its run is done.

/** The text of the scenario that is asked about. */
let asked: string | undefined;
let answer: (() => void) | undefined;

export function askThrottle(text: string): void {
  asked = text;
  answer?.();
}

/** `open` is called whenever it is asked for, until the returned function is. */
export function answerThrottle(open: () => void): () => void {
  answer = open;
  return () => {
    answer = undefined;
  };
}

/** Whether the panel of the scenario `text` was asked for. Only the first caller gets true. */
export function takeThrottle(text: string): boolean {
  if (asked !== text) return false;
  asked = undefined;
  return true;
}
