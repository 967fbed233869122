// Text that has no room: it ends in "…", and is whole for whoever asks.

import { expect, framed, HERD, test, type Lab } from "./support/lab.ts";

/** Knobs whose names are longer than a phone's line. */
const LONG_NAME = `${HERD}#${framed("k.kernel.rt_balance=passive_2624&k.machine.idle=poll&k.duration=20ms&k.machine.cpus=16")}`;

test("the head of a side that a phone cuts ends in dots, and is whole under the mouse, at a tap and with the keyboard's focus", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 360, height: 740 });
  await lab.open(LONG_NAME);
  const label = lab.get("timeline-a").locator(".tl-label");
  const whole = lab.get("whole-text");
  const [cut, dots] = await label.evaluate((line) => [
    line.scrollWidth > line.clientWidth,
    getComputedStyle(line).textOverflow,
  ]);
  expect([cut, dots]).toEqual([true, "ellipsis"]);
  const title = (await label.getAttribute("title")) ?? "";
  expect(title, "the tooltip").toContain("RT balancing passive_2624");
  await label.click();
  await expect(whole).toBeInViewport({ ratio: 1 });
  await expect(whole).toHaveText(title);
  await lab.page.keyboard.press("Escape");
  await expect(whole).toBeHidden();
  await lab.get("side-toggle-a").focus();
  for (let presses = 0; presses < 30 && !(await whole.isVisible()); presses += 1)
    await lab.press("Tab");
  await expect(whole).toHaveText(title);
  await lab.page.keyboard.press("Tab");
  await expect(whole).toBeHidden();
});

test("no words in the head of a side run out of a phone without dots", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 360, height: 740 });
  for (const address of [
    LONG_NAME,
    "s/quota-stranded/",
    "s/half-the-throughput/",
    "s/priority-inheritance/",
  ]) {
    await lab.open(address);
    const lost = await lab.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".tl-head > *")]
        .filter((part) => part.getBoundingClientRect().right > window.innerWidth)
        .map((part) => part.innerText),
    );
    expect(lost, address).toEqual([]);
  }
});

test("knobs are named in the head of a side while its line has room for them, and counted where it has not", async ({
  lab,
}) => {
  await lab.open(LONG_NAME);
  for (const [width, named] of [
    [1440, true],
    [1280, true],
    [390, false],
  ] as const) {
    await lab.page.setViewportSize({ width, height: 800 });
    const label = lab.get("timeline-a").locator(".tl-label");
    await expect(label, String(width)).toHaveText(
      named ? /, RT balancing passive_2624, idle loop poll$/ : /, 2 knobs changed$/,
    );
    if (named)
      expect(
        await label.evaluate((line) => line.scrollWidth > line.clientWidth),
        `${String(width)}: it is not cut`,
      ).toBe(false);
  }
});

test("knobs are named in the head of a strip, and those that its line has no room for are whole under the mouse, at a tap and with the focus", async ({
  lab,
}) => {
  await lab.open(LONG_NAME);
  await lab.press("v");
  const label = lab.get("strip-c").locator(".tl-label");
  const named = /, RT balancing passive_2624, idle loop poll, CPUs 16$/;
  const isCut = (): Promise<boolean> =>
    label.evaluate((line) => line.scrollWidth > line.clientWidth);
  await expect(label).toHaveText(named);
  expect(await isCut(), "a wide line has room").toBe(false);
  await expect(
    lab.get("strip-c").locator(".vstrip-figures b").first(),
    "beside the name",
  ).toBeInViewport({ ratio: 1 });
  await lab.page.setViewportSize({ width: 390, height: 800 });
  await label.scrollIntoViewIfNeeded();
  await expect.poll(isCut).toBe(true);
  expect(await label.evaluate((line) => getComputedStyle(line).textOverflow)).toBe("ellipsis");
  await expect(label).toHaveAttribute("title", named);
  const whole = lab.get("whole-text");
  await label.click();
  await expect(whole).toHaveText(named);
  await lab.page.keyboard.press("Escape");
  await lab.get("strip-c-fold").focus();
  await lab.page.keyboard.press("Tab");
  await expect(whole).toHaveText(named);
});

/**
 * Names of several parts, of letters, digits, dots and underscores, that a line parts within a
 * word.
 */
async function partedWords(lab: Lab): Promise<readonly string[]> {
  return lab.page.evaluate(() => {
    const groups = new Map<Element, Text[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (
        parent?.checkVisibility() !== true ||
        parent.closest("script, style, select, svg, .visually-hidden") !== null
      )
        continue;
      groups.set(parent, [...(groups.get(parent) ?? []), node as Text]);
    }
    const topOf = (node: Text, at: number): number => {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().top;
    };
    return [...groups.values()].flatMap((nodes) => {
      const letters = nodes.flatMap((node) =>
        Array.from({ length: node.length }, (_, at) => ({ node, at })),
      );
      const text = nodes.map(({ data }) => data).join("");
      return [...text.matchAll(/[A-Za-z0-9]+(?:[._][A-Za-z0-9]+)+/g)].flatMap(
        ({ 0: name, index }) => {
          const tops = letters
            .slice(index, index + name.length)
            .map(({ node, at }) => topOf(node, at));
          const parted = tops.findIndex(
            (top, at) =>
              at > 0 && top > (tops[at - 1] ?? top) + 4 && !/[._]/.test(name[at - 1] ?? ""),
          );
          return parted < 0 ? [] : [`${name.slice(0, parted)}|${name.slice(parted)}`];
        },
      );
    });
  });
}

test("a path, or a name of code, breaks behind its dots and underscores, not within a word, in every tab of a dock of 300 px", async ({
  lab,
}) => {
  for (const address of ["s/rt-pull-herd/", "s/quota-tree/"]) {
    await lab.open(address);
    for (const tab of ["why", "latency", "story", "numbers", "sources"] as const) {
      await lab.dock(tab);
      await expect(lab.get(`dock-${tab}`)).toHaveAttribute("aria-selected", "true");
      if (tab === "numbers")
        await expect(lab.get("numbers-metrics").getByRole("row").nth(3)).toBeVisible();
      if (tab === "sources")
        await expect(lab.page.locator("[data-testid^=cost-]").first()).toBeAttached();
      await lab.page.evaluate(() =>
        document.querySelectorAll("details").forEach((each) => (each.open = true)),
      );
      expect(await partedWords(lab), `${address} ${tab}`).toEqual([]);
    }
  }
  await lab.page.setViewportSize({ width: 300, height: 800 });
  await lab.open("s/nohz-kick/");
  expect(await partedWords(lab), "a score’s path on a narrow phone").toEqual([]);
});
