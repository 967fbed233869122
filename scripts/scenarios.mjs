// The shipped scenarios as the scripts need them: their text and the changes of each variant.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/** Every folder of scenarios/ that holds one, by name: `{ slug, text, variants: [{ name, set }] }`; the first variant is the file as it stands. */
export function shippedScenarios() {
  const folder = join(ROOT, "scenarios");
  const slugs = readdirSync(folder).filter((slug) => existsSync(join(folder, slug, "scenario.json")));
  return slugs.sort().map((slug) => {
    const text = readFileSync(join(folder, slug, "scenario.json"), "utf8");
    const named = JSON.parse(text).variants ?? [];
    const variants = [{ name: "as it stands", set: [] }, ...named.map(({ name, set }) => ({ name, set: Object.entries(set) }))];
    return { slug, text, variants };
  });
}
