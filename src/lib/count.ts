// Numbers of things in words. Knows English plurals only.

import { formatCount } from "./format.ts";

/**
 * `counted(1, "CPU")` -> `"1 CPU"`, `counted(40, "CPU")` -> `"40 CPUs"`. `many` where an s is not
 * enough.
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
