// What is typed between the key that opens the search and the field's being there, which on a slow
// line is seconds.

let typed = "";

/** Whether a key writes or takes back a sign. */
export function isWriting(key: string): boolean {
  return key === "Backspace" || key.length === 1;
}

export function typeAhead(key: string): void {
  if (key === "Backspace") typed = typed.slice(0, -1);
  else if (isWriting(key)) typed += key;
}

/** What was typed since the last asking. */
export function takeTypedAhead(): string {
  const taken = typed;
  typed = "";
  return taken;
}
