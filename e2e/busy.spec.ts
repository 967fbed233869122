// A big machine arrives in the page while the viewer goes on working with it.

import type { Page } from "@playwright/test";
import { expect, HERD, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test(
  "keys are answered one after the other while 256 CPUs are computed on both sides",
  LONG,
  async ({ lab }) => {
    await lab.open(HERD);
    const cpus = lab.get("knob-machine.cpus");
    await cpus.fill("256");
    await cpus.press("Enter");
    await expect(lab.get("question")).toHaveText("Why do 256 CPUs wait for one lock?");
    await cpus.blur();
    // Answered: the axis is another one at the next frame but one. All in the page, so that nothing
    // but the page is waited for.
    const answered = await lab.page.evaluate(async () => {
      const frame = (): Promise<number> => new Promise(requestAnimationFrame);
      const byId = (id: string): string =>
        document.querySelector(`[data-testid="${id}"]`)?.textContent ?? "";
      let count = 0;
      for (let press = 0; press < 8; press += 1) {
        const before = byId("time-axis");
        document.body.dispatchEvent(
          new KeyboardEvent("keydown", { code: press % 2 === 0 ? "KeyS" : "KeyW", bubbles: true }),
        );
        await frame();
        await frame();
        if (byId("time-axis") !== before && byId("progress").startsWith("computing")) count += 1;
      }
      return count;
    });
    expect(answered).toBe(8);
    await lab.whenIdle();
    // B has more to record than a run of the page may, and says where it ended; A ends there too,
    // and one press makes both runs fit.
    await expect(lab.get("progress")).toHaveText("stopped early");
    await expect(lab.get("limit-b")).toContainText(
      /Stopped at the record limit.* cover [\d.]+ ms of 100 ms/,
    );
    await expect(lab.get("limit-b")).toContainText(
      "A stops there too, and all numbers are of that part",
    );
    await lab.page.setViewportSize({ width: 390, height: 844 });
    for (const part of await lab.get("limit-b").locator("> *").all()) {
      const { x, width } = (await part.boundingBox()) ?? { x: NaN, width: NaN };
      expect(x + width, "whole on a phone").toBeLessThanOrEqual(390);
    }
    await lab.page.setViewportSize({ width: 1440, height: 900 });
    await lab.dock("sources");
    const covered = [
      ...(await lab.get("provenance").innerText()).matchAll(/([\d.]+ ms) of machine time/g),
    ].map(([, time]) => time);
    expect(covered).toEqual([covered[0], covered[0]]);
    await lab.get("run-fitting").click();
    await expect(lab.get("limit-b"), "both run anew, for a time that fits").toHaveCount(0);
    await expect(lab.page).toHaveURL(/duration=\d\dms/);
  },
);

/**
 * Every text a viewer can read: what is drawn, and what a title or a label says. Not the field that
 * holds the viewer's own text.
 */
function everyText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const main = document.querySelector("main")?.cloneNode(true) as Element | undefined;
    main?.querySelector('[data-testid="editor"]')?.remove();
    const said = [...document.querySelectorAll("[title], [aria-label]")].flatMap((element) => [
      element.getAttribute("title") ?? "",
      element.getAttribute("aria-label") ?? "",
    ]);
    return [document.title, main?.textContent ?? "", ...said].join("\n");
  });
}

/** All answers of the dock, each of which may name what the scenario names. */
const TABS = ["latency", "numbers", "sources", "why"] as const;

test("what a scenario's texts hide is written out wherever they stand, as the command writes it", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.write(
    JSON.stringify({
      schema: 1,
      title: "one \u202Etwo\uFEFF three",
      source: "so\u2066urce",
      duration: "1ms",
      machine: { cpus: 2, topology: "1x2", costs: "zero" },
      kernel: { version: "4.15" },
      workload: {
        tasks: {
          "wor\u2060ker": { policy: "SCHED_FIFO", priority: 5, loop: -1, run: 100, sleep: 100 },
        },
      },
      variants: [
        { name: "a\u202Eb", set: {} },
        { name: "c", set: { seed: 2 } },
      ],
      headline: ["latency.wor\u2060ker.max_ns", "tasks.wor\u2060ker.0.run_ns"],
      references: [
        {
          metric: "latency.wor\u2060ker.max_ns",
          label: "la\u200Bbel",
          low: 1,
          high: 2,
          source: "an\u061Cother",
        },
      ],
    }),
  );
  await expect(lab.get("question")).toHaveText("one \\u{202e}two\\u{feff} three");
  let told = "";
  for (const tab of TABS) {
    await lab.dock(tab);
    await lab.whenIdle();
    told += `${await everyText(lab.page)}\n`;
  }
  for (const shown of ["wor\\u{2060}ker", "la\\u{200b}bel", "an\\u{61c}other", "a\\u{202e}b"])
    expect(told).toContain(shown);
  // The page's own break in a knob's name, before an underscore, is not of the scenario.
  expect(told.replaceAll("\u200B_", "_")).not.toMatch(
    /(?!\n)\p{Cc}|[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u,
  );
});
