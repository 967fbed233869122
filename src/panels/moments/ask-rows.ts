// Asks for the rows of a metric, from anywhere: the caller opens the table, and the table shows the
// rows once the table is there.

let asked: string | undefined;
let answer: ((sought: string) => void) | undefined;

/** `path`: a metric; of one that sums over all tasks of a kind, the rows of each are meant. */
export function askRows(path: string): void {
  asked = path.replace(/\.\*\.\w+$/, ".");
  give();
}

/** `show` is called with what is asked for, before too, until the returned function is. */
export function answerRows(show: (sought: string) => void): () => void {
  answer = show;
  give();
  return () => {
    answer = undefined;
  };
}

function give(): void {
  if (asked === undefined || answer === undefined) return;
  const sought = asked;
  asked = undefined;
  answer(sought);
}
