// What is typed between the key that opens the search and the field's being there, which on a slow line is seconds.

let typed = "";

/** Takes a key down; false if it is no writing. */
export function typeAhead(key: string): boolean {
  if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return false;
  return true;
}

/** What was typed since the last asking. */
export function takeTypedAhead(): string {
  const taken = typed;
  typed = "";
  return taken;
}
