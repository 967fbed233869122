// The kernel versions in the order of the engine's ladder. Must not read the digits of a version: a
// patch and a stable branch have their places in the ladder.

import { KNOBS } from "./gen/knobs.ts";

/** Versions, oldest first. */
export const VERSIONS: readonly string[] =
  KNOBS.find(({ path }) => path === "kernel.version")?.choices?.map(
    ({ value }) => value as string,
  ) ?? [];

/** The place of a version in the ladder. */
export function rank(version: string): number {
  const found = VERSIONS.indexOf(version);
  if (found < 0) throw new Error(`no such version: ${version}`);
  return found;
}

/**
 * Whether a version comes before `first`, a version of the ladder. What is no version of the
 * ladder is before none.
 */
export function isBefore(version: unknown, first: string): boolean {
  return VERSIONS.some((each) => each === version && rank(each) < rank(first));
}
