// The schedule a person looks at is the one on record: the page's digests are the goldens' ones, for every shipped scenario.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "./support/lab.ts";

const folder = new URL("../scenarios/", import.meta.url);
const slugs = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

for (const slug of slugs) {
  test(`the digests shown for ${slug} are the recorded ones`, async ({ lab }) => {
    const goldens = JSON.parse(readFileSync(new URL(`${slug}/expected/reports.json`, folder), "utf8")) as Record<
      string,
      { readonly digest: string }
    >;
    const { variants } = JSON.parse(readFileSync(new URL(`${slug}/scenario.json`, folder), "utf8")) as {
      readonly variants: readonly { readonly name: string }[];
    };
    const [a, b] = variants.map(({ name }) => goldens[name]?.digest);
    await lab.open(`s/${slug}/`);
    expect([await lab.digest("a"), await lab.digest("b")]).toEqual([a, b]);
    await expect(lab.get("limit-a")).toHaveCount(0);
  });
}
