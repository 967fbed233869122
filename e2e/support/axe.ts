// What axe finds wrong with a screen.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, type Lab } from "./lab.ts";
import { THOROUGH } from "./thorough.ts";

/** Nodes named of each rule that is broken. */
const NODES_MAX = 4;

/** What of a screen is another in another theme. */
const OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/**
 * Axe finds no violation on the page, or in the part of it that has the test id `within`; `where`
 * names the screen.
 */
export async function expectAccessible(
  { page }: Pick<Lab, "page">,
  where: string,
  within?: string,
): Promise<void> {
  await analyse(page, where, (axe) =>
    within === undefined ? axe : axe.include(`[data-testid=${within}]`),
  );
}

/**
 * Axe finds nothing wrong with what a theme changes of the page; `npm run test:long` asks for
 * everything.
 */
export async function expectReadable({ page }: Lab, where: string): Promise<void> {
  await analyse(page, where, (axe) => (THOROUGH ? axe : axe.withRules(OF_LOOKS)));
}

async function analyse(
  page: Page,
  where: string,
  narrow: (axe: AxeBuilder) => AxeBuilder,
): Promise<void> {
  // Legacy mode asks this page alone, not the frames of other hosts, of which there are none: it
  // takes a third of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const { violations } = await narrow(axe).analyze();
  const found = violations.map(({ id, nodes }) => {
    const targets = nodes.slice(0, NODES_MAX).map(({ target }) => target.join(" "));
    return `${id}: ${targets.join(" | ")}`;
  });
  expect(found, where).toEqual([]);
}
