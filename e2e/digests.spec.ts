// The schedule a person looks at is the one on record: the page's digests are the goldens' ones, for every shipped scenario. With all of
// it on the page, none is too wide for a phone.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "./support/lab.ts";

const folder = new URL("../scenarios/", import.meta.url);
const slugs = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const TABS = ["why", "latency", "story", "numbers", "sources"] as const;

for (const slug of slugs) {
  test(`the digests shown for ${slug} are the recorded ones, and its page fits a phone`, async ({ lab }) => {
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
    await lab.page.setViewportSize({ width: 390, height: 844 });
    const sideways = (): Promise<number> =>
      lab.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const tab of TABS) {
      await lab.dock(tab);
      await expect.poll(sideways, { message: tab }).toBe(0);
    }
  });
}
