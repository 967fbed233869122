// How it looks to different eyes: three themes, a projector's distance, a phone's width, a screen reader's tree.

import AxeBuilder from "@axe-core/playwright";
import { DEPTH, expect, QUICK, SPIN, test, type Lab } from "./support/lab.ts";

const PHONE = { width: 390, height: 844 };
const THEMES = ["dark", "light", "projector"] as const;

async function expectAccessible(lab: Lab): Promise<void> {
  const { violations } = await new AxeBuilder({ page: lab.page }).analyze();
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target }) => target.join(" "))
        .slice(0, 4)
        .join(" | ")}`,
  );
  expect(found).toEqual([]);
}

for (const theme of THEMES) {
  test(`no accessibility violation in the ${theme} theme`, async ({ lab }) => {
    await lab.open(QUICK);
    await lab.choose(theme);
    await lab.selectWorst();
    await expectAccessible(lab);
    await lab.get("share-open").click();
    await expectAccessible(lab);
  });
}

test("the two headline numbers are at least 48 px high for a projector, and the theme is kept", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.choose("projector");
  for (const metric of [DEPTH, SPIN]) {
    for (const side of ["a", "b"]) {
      const size = await lab.get(`headline-${metric}-${side}`).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(size).toBeGreaterThanOrEqual(48);
    }
  }
  await lab.page.reload();
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "projector");
});

test("on paper the text is dark on white in every theme, and no bar lies over it", async ({ lab }) => {
  await lab.open(QUICK);
  for (const theme of THEMES) {
    await lab.choose(theme);
    await lab.page.emulateMedia({ media: "print" });
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "light");
    for (const id of ["transport", "share-open", "play"]) await expect(lab.get(id)).toBeHidden();
    for (const id of ["question", "headline", "timeline-a", "timeline-b", "story", "provenance"]) await expect(lab.get(id)).toBeVisible();
    const cut = await lab.page.evaluate(() => [document.querySelector(".page")?.scrollHeight, document.body.scrollHeight]);
    expect(cut[0], "the page is as long as what is on it").toBe(cut[1]);
    const { text, paper } = await lab
      .get("question")
      .evaluate((heading) => ({ text: getComputedStyle(heading).color, paper: getComputedStyle(document.body).backgroundColor }));
    expect(paper).toBe("rgb(255, 255, 255)");
    expect(Math.max(...(text.match(/\d+/g) ?? []).slice(0, 3).map(Number)), `${theme}: ${text}`).toBeLessThan(0x40);
    await lab.page.emulateMedia({ media: "screen" });
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", theme);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  for (const [name, address] of [
    ["the lab", QUICK],
    ["the front page", ""],
    ["the editor", "lab/"],
  ] as const) {
    test(`${name} does not scroll sideways and every control can be reached`, async ({ lab }) => {
      await lab.open(address);
      const sideways = await lab.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(sideways).toBe(0);
      const unreachable = await lab.page.evaluate(unreachableControls);
      expect(unreachable).toEqual([]);
    });
  }

  test("no accessibility violation, and the selected wake-up is shown", async ({ lab }) => {
    await lab.open(QUICK);
    await lab.dock("why");
    await lab.get("worst-a").click();
    await expect(lab.get("waterfall-a")).toBeVisible();
    await expectAccessible(lab);
  });
});

/** Controls that, brought into view, still lie outside the window or under something else. Runs in the page. */
function unreachableControls(): readonly string[] {
  const controls = [...document.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary, [role=slider]")];
  const nameOf = (control: HTMLElement): string => control.dataset["testid"] ?? control.textContent.slice(0, 40);
  return controls.flatMap((control) => {
    const target = control.closest("label") ?? control; // A styled radio or file input is pressed through its label.
    if (!target.checkVisibility() || control.classList.contains("skip")) return [];
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const outside = left < -1 || right > window.innerWidth + 1 || bottom <= 0 || top >= window.innerHeight;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const covered = hit === null || !(target.contains(hit) || hit.contains(target));
    return outside || covered ? [`${nameOf(control)}: ${outside ? "outside" : "covered"}`] : [];
  });
}
