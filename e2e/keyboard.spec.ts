// Without a mouse: the whole errand by keys, no key that acts while a field is typed in, no key
// with two meanings.

import { expect, framed, type Lab, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("from load to a copied link of the worst wake-up in at most 15 key presses", async ({
  lab,
}) => {
  await lab.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await lab.open(QUICK);
  let presses = 0;
  const press = async (key: string): Promise<void> => {
    presses += 1;
    await lab.page.keyboard.press(key);
  };
  const focused = (): Promise<string | undefined> =>
    lab.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["testid"]);
  const tabTo = async (testId: string): Promise<void> => {
    while ((await focused()) !== testId && presses < 20) await press("Tab");
  };
  await press("l");
  await tabTo("share-open");
  await press("Enter");
  await expect(lab.get("share")).toBeVisible();
  await tabTo("share-copy-link");
  await press("Enter");
  await expect(lab.get("share-copy-link")).toContainText("Copied");
  expect(presses).toBeLessThanOrEqual(15);
  const link = await lab.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/&sel=cyclictest\.\d+\.w\d+&/);
  await press("Escape");
  await expect(lab.get("share")).toHaveCount(0);
  expect(await focused(), "the focus returns to the button").toBe("share-open");
});

test("whatever goes away when it is used leaves the focus with what had it before", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const { keyboard } = lab.page;
  await lab.get("drawer-open").focus();
  await keyboard.press("Enter");
  await expect(lab.get("drawer"), "a drawer goes on with whoever opened it").toBeFocused();
  await lab.get("editor").focus();
  await keyboard.press("Escape");
  await expect(lab.get("drawer")).toHaveCount(0);
  await expect(lab.get("drawer-open")).toBeFocused();
  await lab.get("share-open").focus();
  await keyboard.press("Enter");
  await lab.get("picture-open").focus();
  await keyboard.press("Enter");
  await expect(lab.get("picture")).toBeVisible();
  await keyboard.press("Escape");
  await expect(lab.get("share-open")).toBeFocused();
  await lab.get("strip-add").focus();
  await keyboard.press("Enter");
  await lab.get("strip-c-remove").focus();
  await keyboard.press("Enter");
  await expect(lab.get("strip-c-remove")).toHaveCount(0);
  await expect(lab.get("strip-add")).toBeFocused();
});

test("no letter acts while a field has the focus", async ({ lab }) => {
  await lab.open(QUICK);
  const theme = await lab.page.locator("html").getAttribute("data-theme");
  const [view, axis] = [await lab.view(), await lab.axis()];
  const playhead = await lab.playhead();
  const letters = "lpwsadjkf0-=?\\ ";
  await lab.get("picker-open").click();
  await lab.get("picker-search").pressSequentially(letters);
  await expect(lab.get("picker-search")).toHaveValue(letters);
  await lab.get("picker-open").click();
  await lab.get("drawer-open").click();
  await lab.get("editor").focus();
  await lab.page.keyboard.type("l");
  await lab.whenIdle();
  expect(await lab.view()).toEqual(view);
  await lab.get("knob-seed").fill("");
  await lab.get("knob-seed").pressSequentially("lpw");
  await expect(lab.get("knob-seed")).toHaveAttribute("aria-invalid", "true");
  await expect(lab.get("waterfall-a")).toHaveCount(0);
  await expect(lab.get("help")).toHaveCount(0);
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", theme ?? "");
  // It takes width from the picture, and so labels from its axis.
  await lab.get("drawer-open").click();
  await lab.whenIdle();
  expect(await lab.axis()).toEqual(axis);
  expect(await lab.playhead()).toBe(playhead);
});

test("every key of the help has one meaning, and the keys do what it says", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.page.keyboard.press("?");
  await expect(lab.get("help")).toBeVisible();
  const keys = await lab.get("help").locator("dt").allInnerTexts();
  const each = await lab.get("help").locator("dt kbd").allInnerTexts();
  expect(keys.length).toBeGreaterThan(10);
  expect(new Set(each).size, each.join(" ")).toBe(each.length);
  await lab.page.keyboard.press("l");
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("help")).toHaveCount(0);
  await expect(lab.get("waterfall-a"), "no key acts behind a dialog").toHaveCount(0);

  await lab.press("p");
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "projector");
  await lab.press("\\");
  await expect(lab.get("timeline-b")).toHaveCount(0);
  await lab.press("\\");
  await expect(lab.get("timeline-b")).toBeVisible();
  const speed = async (): Promise<number> =>
    Number(await lab.get("speed").getAttribute("data-ns-per-second"));
  const byView = await speed();
  await lab.press("=");
  const faster = await speed();
  expect(faster).toBeGreaterThan(byView);
  await lab.press("-");
  expect(await speed()).toBeLessThan(faster);
  await lab.press("=");
  expect(await speed(), "one step each way").toBe(faster);
  await lab.press("b");
  await lab.press("Control+Enter");
  await expect(lab.get("knob-seed")).toHaveValue("8");
});

test(
  "Ctrl+Enter takes the next seed on the page, nothing behind a dialog, and runs the text in the editor",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.page.keyboard.press("?");
    await expect(lab.get("help")).toBeVisible();
    await lab.page.keyboard.press("Control+Enter");
    await lab.page.keyboard.press("Escape");
    await expect(lab.get("help")).toHaveCount(0);
    await expect(lab.get("knob-seed")).toHaveValue("7");
    await lab.press("Control+Enter");
    await expect(lab.get("knob-seed")).toHaveValue("8");
    await lab.get("drawer-open").click();
    await lab.get("scenario-editor-open").click();
    await expect(lab.get("scenario-editor-fine")).toHaveText(/valid scenario/);
    await lab.page.keyboard.press("Control+Enter");
    await expect(lab.get("scenario-editor"), "it runs, and the layer goes").toHaveCount(0);
    await lab.whenIdle();
    await expect(lab.get("knob-seed")).not.toHaveValue("9");
  },
);

test("from the address to the worst wake-up's text in at most 12 key presses without a letter, announced when it is selected", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("said")).toBeEmpty();
  let presses = 0;
  const press = async (key: string): Promise<void> => {
    presses += 1;
    await lab.page.keyboard.press(key);
  };
  while (
    presses < 12 &&
    !(await lab.get("skip-worst").evaluate((link) => link === document.activeElement))
  )
    await press("Tab");
  await press("Enter");
  await lab.whenIdle();
  expect(presses).toBeLessThanOrEqual(12);
  await expect(lab.get("dock-panel-why")).toBeFocused();
  const name = await lab.get("waterfall-a-name").innerText();
  const latency = await lab.get("waterfall-a-latency").innerText();
  const [number = ""] = latency.split(/\s/);
  const tree = await lab.get("dock-panel-why").ariaSnapshot();
  for (const part of [name, latency, "100.00 %"]) expect(tree).toContain(part);
  const said = lab.get("said");
  await expect(said).toHaveAttribute("aria-live", "polite");
  await expect(said).toHaveText(
    new RegExp(`^${name} on A: ${number} microseconds late, on CPU \\d+\\. Most of it: .+ On B: `),
  );
  await lab.press("l");
  await expect(said, "the next one is announced too").not.toContainText(`${name} on A`);
});

const PLAYED = [
  ["the herd", QUICK],
  ["a quota, its figures open beside it", `s/quota-web-p95/#${framed("k.duration=2s")}`],
] as const;

for (const [what, address] of PLAYED) {
  test(`nothing that a screen reader speaks by itself changes while it plays: ${what}`, async ({
    lab,
  }) => {
    await lab.open(address);
    await lab.dock("numbers");
    await lab.whenIdle();
    expect(await heardWhilePlaying(lab)).toEqual([]);
  });
}

async function heardWhilePlaying(lab: Lab): Promise<readonly string[]> {
  await lab.page.evaluate(() => {
    const live =
      '[role="status"], [role="alert"], [role="log"], [aria-live="polite"], [aria-live="assertive"], output';
    const heard: string[] = [];
    (window as unknown as { heard: string[] }).heard = heard;
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
        if (region !== null && region !== undefined && region.getAttribute("aria-live") !== "off")
          heard.push(region.textContent);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const before = await lab.playhead();
  await lab.get("play").click();
  await expect.poll(() => lab.playhead()).not.toBe(before);
  const middle = await lab.playhead();
  await expect.poll(() => lab.playhead()).not.toBe(middle);
  await lab.get("play").click();
  return lab.page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

test("a screen reader hears no run of a sweep go by, only the end", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("machine.cpus");
  await lab.get("sweep-values").fill("4, 6");
  await lab.get("sweep-seeds").fill("3");
  const progress = lab.get("sweep-progress");
  // Whether each word of it was spoken.
  await lab.page.evaluate(() => {
    const heard: (readonly [text: string, live: string])[] = [];
    (window as unknown as { heard: typeof heard }).heard = heard;
    new MutationObserver(() => {
      const output = document.querySelector('[data-testid="sweep-progress"]');
      if (output !== null)
        heard.push([output.textContent, output.getAttribute("aria-live") ?? "polite"]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await lab.get("sweep-run").click();
  await expect(progress).toHaveAttribute("data-running", "false");
  await expect(progress).toHaveAttribute("aria-live", "polite");
  const heard = await lab.page.evaluate(
    () => (window as unknown as { heard: (readonly [string, string])[] }).heard,
  );
  expect(heard.some(([, live]) => live === "off")).toBe(true);
  expect(heard.filter(([text, live]) => live !== "off" && text.includes("worker"))).toEqual([]);
});

test(
  "keys of one letter or sign can be switched off for good; the others stay",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.get("help-open").click();
    await lab.get("letters-on").uncheck();
    await lab.get("help-close").click();
    await lab.page.reload();
    await lab.whenIdle();
    const view = await lab.view();
    const theme = await lab.page.locator("html").getAttribute("data-theme");
    await lab.press("l", "w", "d", "0", "p", "q", "b", "\\", "?", "Shift+X", "k", ".");
    expect(await lab.view()).toEqual(view);
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", theme ?? "");
    for (const id of ["help", "waterfall-a", "event-line"])
      await expect(lab.get(id)).toHaveCount(0);
    for (const id of ["rail", "dock", "timeline-b"]) await expect(lab.get(id)).toBeVisible();
    await lab.press("ArrowRight");
    await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
    await lab.get("knob-search").fill("lw");
    await expect(lab.get("knob-search"), "what is typed stays typed").toHaveValue("lw");
    await lab.get("help-open").click();
    await lab.get("letters-on").check();
    await lab.get("help-close").click();
    await lab.press("l");
    await expect(lab.get("waterfall-a")).toBeVisible();
  },
);

test("Space plays from a switch that was just flipped", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.page.getByRole("radio", { checked: true }).first().focus();
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play")).toHaveAttribute("aria-label", "Pause");
});

test("Space plays after a pointer pressed a control, and presses the control that Tab came to", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const { keyboard } = lab.page;
  const play = lab.get("play");
  const pressed = [
    lab.get("step-dot-2"),
    lab.get("story-next"),
    lab.get(`headline-latency.cyclictest.max_ns-a`),
  ];
  for (const control of pressed) {
    await control.click();
    await lab.whenIdle();
    const caption = await lab.get("story-caption").getAttribute("data-step");
    await keyboard.press("Space");
    await expect(play).toHaveAttribute("aria-label", "Pause");
    expect(
      await lab.get("story-caption").getAttribute("data-step"),
      "the control is not pressed again",
    ).toBe(caption);
    await keyboard.press("Space");
    await expect(play).toHaveAttribute("aria-label", "Play");
  }
  await lab.get("rail-open").click();
  await keyboard.press("Tab");
  await expect(lab.get("dock-open")).toBeFocused();
  await keyboard.press("Space");
  await expect(lab.get("dock")).toHaveCount(0);
  await expect(play).toHaveAttribute("aria-label", "Play");
});

test("a question that was picked has the focus: Space plays it", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("picker-open").click();
  await lab.page.keyboard.press("Space");
  await expect(lab.get("picker"), "Space closes the list where it was opened").toHaveCount(0);
  for (const way of ["pointer", "key"]) {
    await lab.get("picker-open").click();
    const tile = lab.get("tile-quota-tree");
    if (way === "pointer") await tile.click();
    else await tile.press("Enter");
    await expect(lab.get("picker")).toHaveCount(0);
    await lab.whenIdle();
    await expect(lab.get("lab")).toBeFocused();
    await lab.page.keyboard.press("Space");
    await expect(lab.get("play")).toHaveAttribute("aria-label", "Pause");
    await lab.page.keyboard.press("Space");
  }
});

test("in a small window L and the link past everything bring the answer into sight; in a wide one nothing moves", async ({
  lab,
}) => {
  const heading = lab.get("selected-wake").locator("h2");
  const scrolled = (): Promise<number> => lab.page.evaluate(() => Math.round(scrollY));
  await lab.open(QUICK);
  await lab.press("l");
  await lab.press("l");
  expect(await scrolled()).toBe(0);
  // 1440 by 900 at 400 %.
  await lab.page.setViewportSize({ width: 360, height: 225 });
  await lab.page.evaluate(() => scrollTo(0, 0));
  await expect(heading).not.toBeInViewport();
  await lab.press("l");
  await expect(heading, "L").toBeInViewport({ ratio: 1 });
  await lab.page.reload();
  await lab.whenIdle();
  await lab.page.evaluate(() => scrollTo(0, 0));
  await lab.get("skip-worst").press("Enter");
  await expect(heading, "the link").toBeInViewport({ ratio: 1 });
  await expect(lab.get("dock-panel-why")).toBeFocused();
});

test("as in Perfetto W and S zoom at the pointer over the lanes, and at the playhead elsewhere", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const lanes = lab.get("lanes-a");
  const box = (await lanes.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const before = await lab.view();
  // Near the end of the axis: what lies before it goes, and comes back.
  await lab.page.mouse.move(box.x + box.width * 0.95, box.y + box.height / 2);
  await lab.press("w");
  const right = await lab.view();
  const span = before[1] - before[0];
  expect(right[1] - right[0]).toBeLessThan(span * 0.7);
  expect(right[0] - before[0]).toBeGreaterThan(span * 0.28);
  expect(before[1] - right[1]).toBeLessThan(span * 0.05);
  await lab.press("s");
  expect(Math.abs((await lab.view())[0] - before[0])).toBeLessThan(span * 0.001);
  // Away from the picture: the playhead stays where it was in the view.
  await lab.page.mouse.move(2, 2);
  const playhead = await lab.playhead();
  const away = await lab.view();
  await lab.press("w");
  const near = await lab.view();
  const place = ([from, to]: readonly [number, number]): number => (playhead - from) / (to - from);
  expect(place(near)).toBeCloseTo(place(away), 2);
});

test("as in Perfetto Shift+M marks what is selected for good, R makes it an area, and Ctrl+B folds the left edge", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.press("Shift+M");
  await expect(lab.get("marker-from"), "nothing is selected").toHaveCount(0);
  await lab.press("l", "Shift+M");
  const latency = await lab.get("waterfall-a-latency").getAttribute("data-ns");
  await expect(lab.get("marker-delta").first()).toHaveAttribute("data-ns", latency ?? "");
  await lab.press("r", "Escape");
  await expect(lab.get("marker-delta").first(), "the area goes, the markers stay").toHaveAttribute(
    "data-ns",
    latency ?? "",
  );
  await lab.press("Control+b");
  await expect(lab.get("rail")).toHaveCount(0);
  await lab.press("Control+b");
  await expect(lab.get("rail")).toBeVisible();
});
