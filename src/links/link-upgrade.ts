// One upgrader per step of the link's version: step n turns the items of version n into those of
// version n + 1. A missing step stops the page at load, because an old link must never open as
// something else.

import type { Items } from "./link-frame.ts";

/** The version this page writes. */
export const LINK_VERSION = 3;

export type Upgrader = (items: Items) => Items;

/**
 * Adds what version 1 meant: a changed kernel.version keeps the switches that the scenario states.
 */
function from1(items: Items): Items {
  const changes = items.some(([key]) => /^[kab]\.kernel\.version$/.test(key));
  return changes ? [...items.filter(([key]) => key !== "keep"), ["keep", "stated"]] : items;
}

/** Version 3 says more, and nothing of version 2 otherwise. */
function from2(items: Items): Items {
  return items;
}

const UPGRADERS: ReadonlyMap<number, Upgrader> = new Map([
  [1, from1],
  [2, from2],
]);

/** Throws unless there is a step from every version below `newest`. */
export function checkComplete(upgraders: ReadonlyMap<number, Upgrader>, newest: number): void {
  for (let version = 1; version < newest; version += 1) {
    if (!upgraders.has(version))
      throw new Error(`no upgrader leads from link version ${version} to ${version + 1}`);
  }
  if (upgraders.size !== newest - 1)
    throw new Error(`there are upgraders past link version ${newest}`);
}

export function upgradeItems(
  items: Items,
  from: number,
  upgraders: ReadonlyMap<number, Upgrader> = UPGRADERS,
  newest = LINK_VERSION,
): Items {
  let upgraded = items;
  for (let version = from; version < newest; version += 1) {
    const step = upgraders.get(version);
    if (step === undefined) throw new Error(`no upgrader from link version ${version}`);
    upgraded = step(upgraded);
  }
  return upgraded;
}

checkComplete(UPGRADERS, LINK_VERSION);
