// The end of every exhaustive switch.

/**
 * Fails to compile when a switch misses a case, and fails loudly if data from outside has one we do
 * not know.
 */
export function assertUnreachable(value: never): never {
  throw new Error(`unhandled case: ${String(value)}`);
}
