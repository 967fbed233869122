// The shipped scenarios as the scripts need them: their text and the changes of each variant.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/**
 * Every folder of scenarios/ that holds one, by name: `{ slug, text, figures, variants: [{ name,
 * set }] }`; the first variant is the unchanged file.
 */
export function shippedScenarios() {
  const folder = join(ROOT, "scenarios");
  const slugs = readdirSync(folder).filter((slug) =>
    existsSync(join(folder, slug, "scenario.json")),
  );
  return slugs.sort().map((slug) => {
    const text = readFileSync(join(folder, slug, "scenario.json"), "utf8");
    const scenario = JSON.parse(text);
    const named = scenario.variants ?? [];
    const variants = [
      { name: "as it stands", set: [] },
      ...named.map(({ name, set }) => ({ name, set: Object.entries(set) })),
    ];
    return { slug, text, figures: namedFigures(scenario), variants };
  });
}

/**
 * Paths of the metrics that a scenario speaks of: in its headline, and in the captions of its
 * steps.
 * @param {{
 *   readonly headline?: readonly string[],
 *   readonly steps?: readonly { readonly caption: string }[],
 * }} scenario
 */
export function namedFigures({ headline = [], steps = [] }) {
  const told = steps.flatMap(({ caption }) =>
    [...caption.matchAll(/\{([^{} ]+)(?: [ab])?\}/g)].map(([, path = ""]) => path),
  );
  return [...new Set([...headline, ...told])];
}
