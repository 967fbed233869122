// Kernel releases: those that the engine offers by name, and the order of all of them.

import { KNOBS } from "./gen/knobs.ts";

/** The releases that are offered by name, oldest first. */
export const VERSIONS: readonly string[] =
  KNOBS.find(({ path }) => path === "kernel.version")?.choices?.map(
    ({ value }) => value as string,
  ) ?? [];

/** The place of a version in the list of those offered by name. */
export function rank(version: string): number {
  const found = VERSIONS.indexOf(version);
  if (found < 0) throw new Error(`no such version: ${version}`);
  return found;
}

/** Branch, stable release, and whether it is a posted patch. */
export type Numbers = readonly [branch: number, stable: number, posted: number];

/** The numbers of a release as `uname -r` prints it; undefined for any other text. */
export function numbersOf(text: string): Numbers | undefined {
  const read = /^(?:2\.(6)|([3-9]))\.(\d{1,3})(?:\.(\d{1,3}))?(?![0-9])/.exec(text);
  if (read === null) return undefined;
  const [, , major = "2", minor = "", stable = "0"] = read;
  return [Number(major) * 256 + Number(minor), Number(stable), Number(text.endsWith("-push-ipi"))];
}

/** Below 0 where the first release comes before the other. */
export function compareNumbers(one: Numbers, other: Numbers): number {
  const apart = one.map((part, at) => part - (other[at] ?? 0)).find((part) => part !== 0);
  return apart ?? 0;
}

/** Whether a release comes before another. What is no release is before none. */
export function isBefore(version: unknown, first: string): boolean {
  const [one, other] = [numbersOf(String(version)), numbersOf(first)];
  return one !== undefined && other !== undefined && compareNumbers(one, other) < 0;
}

/**
 * The release offered by name that comes closest below: a stable one only for its own branch, a
 * posted patch for none but itself. Undefined for what is no release.
 */
export function rungOf(version: unknown): string | undefined {
  const own = numbersOf(String(version));
  if (own === undefined) return undefined;
  return VERSIONS.findLast((rung) => {
    const numbers = numbersOf(rung);
    if (numbers === undefined || compareNumbers(numbers, own) > 0) return false;
    const [branch, stable, posted] = numbers;
    return (posted === 0 || own[2] === 1) && (stable === 0 || branch === own[0]);
  });
}
