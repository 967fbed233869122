// A text that is pasted onto the page, outside of any field and window. One that is pasted before
// the paste box has come waits for it.

/** Where a pasted text belongs to what has the focus. */
const FIELDS =
  "input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, select, [contenteditable=true], dialog[open]";

let waiting: string | undefined;
let answer: ((text: string) => void) | undefined;

/** Returns what ends it. */
export function listenForPastes(): () => void {
  const listen = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const inField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
    if (text.trim() === "" || inField || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    pasteText(text);
  };
  window.addEventListener("paste", listen);
  return () => window.removeEventListener("paste", listen);
}

/** Opens the paste box with a text. */
export function pasteText(text: string): void {
  if (answer === undefined) waiting = text;
  else answer(text);
}

/** Calls `onText` with what was pasted last, and with what will be. Returns what ends it. */
export function answerPastes(onText: (text: string) => void): () => void {
  answer = onText;
  if (waiting !== undefined) onText(waiting);
  waiting = undefined;
  return () => (answer = undefined);
}
