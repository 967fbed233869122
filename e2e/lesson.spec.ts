// A lesson as a reader takes it: bet, reveal, step back, puzzle, and on from where one stopped.

import { readdirSync } from "node:fs";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("a bet comes before its picture, step back works, the engine judges the puzzle, and a reload goes on from there", async ({
  lab,
}) => {
  await lab.open("learn/migrate/");
  await expect(lab.page).toHaveTitle(
    "The task that waited 20 ms for one of lower priority · schedscope",
  );
  await expect(lab.get("lesson-scene"), "the answer waits for the bet").not.toContainText(
    "A breaks the promise",
  );
  await lab.get("lesson-choice-1").click();
  await expect(lab.get("lesson-scene")).toContainText(
    "The run says: In an old kernel sometimes one of higher priority.",
  );
  await expect(lab.get("lesson-scene"), "figures are those of the runs").toContainText(
    /task 1 waits [\d.]+ ms per second/,
  );
  for (let scene = 2; scene <= 5; scene += 1) {
    await lab.get("lesson-next").click();
    await lab.whenIdle();
    await expect(lab.get("lesson")).toHaveAttribute("data-scene", String(scene));
  }
  await expect(lab.get("lesson-judge")).toContainText("Not there yet");
  await expect(lab.get("lesson-judge"), "in the score's form").toContainText(
    /is [\d.]+ ms per second\./,
  );
  await expect(lab.get("lesson-closing"), "what to do may answer the puzzle").toHaveCount(0);
  await expectAccessible(lab, "a lesson");
  await lab.flip("kernel.rt_balance", "a", "active_plist");
  await expect(lab.get("lesson-judge")).toContainText("Solved");
  await expect(lab.get("lesson-closing"), "the last scene says what to do").toContainText(
    "do not pin real-time tasks",
  );
  await lab.get("lesson-back").click();
  await lab.whenIdle();
  await lab.page.reload();
  await lab.whenIdle();
  await expect(lab.get("lesson"), "progress is kept").toHaveAttribute("data-scene", "4");
  await expect(lab.get("lesson-lab")).toHaveAttribute("href", /\/s\/rt-migrate\/#/);
  await lab.get("lesson-dot-1").click();
  await expect(lab.get("lesson-choice-1")).toBeDisabled();
});

test("the keys of the page work in a lesson: K tells the next event, arrows and page keys walk the scenes", async ({
  lab,
}) => {
  await lab.open("learn/push-ipi/");
  await lab.get("lesson-dot-6").click();
  await lab.whenIdle();
  await expect(lab.get("lesson-scene")).toContainText("Press K to go from event to event.");
  const before = await lab.playhead();
  await lab.press("k");
  const event = await lab.playhead();
  expect(event).toBeGreaterThan(before);
  await expect(lab.get("event-line"), "what happens there is said").toContainText(/CPU \d/);
  await lab.press("j");
  expect(await lab.playhead()).toBeLessThan(event);
  await lab.press("k", "]");
  await expect(lab.get("event-line").or(lab.get("reply-line")), "along causes").toBeVisible();
  await lab.press("x", "v", "Control+Enter");
  await expect(
    lab.get("lesson-lab"),
    "no key makes other runs than those of the text",
  ).not.toHaveAttribute("href", /seed|rt_balance/);
  await lab.press("PageDown");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "7");
  await lab.press("ArrowLeft", "PageUp");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "5");
  await lab.press("ArrowRight");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "6");
  await lab.page.emulateMedia({ reducedMotion: "no-preference" });
  await lab.get("lesson-scene").locator("h2").click();
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play"), "no button has the focus: the key plays").toHaveAccessibleName(
    "Pause",
  );
  await lab.page.keyboard.press("Space");
  await expect(lab.get("play")).toHaveAccessibleName("Play");
  await lab.open("learn/herd/");
  const covered = await lab.playhead();
  await lab.press("k", "Space");
  expect(await lab.playhead(), "no key looks below the cover of a bet").toBe(covered);
});

test("a puzzle is solved by one knob alone; the knobs go back, and who gives up is shown a way", async ({
  lab,
}) => {
  await lab.open("learn/migrate/#5");
  const [judge, puzzle] = [lab.get("lesson-judge"), lab.get("lesson-puzzle")];
  await expect(lab.get("lesson-take-back"), "nothing is turned").toBeDisabled();
  await lab.flip("kernel.rt_balance", "a", "active_plist");
  await expect(judge).toContainText("Solved with one knob: RT balancing.");
  await lab.flip("kernel.hz", "both", "250");
  await expect(puzzle).toHaveAttribute("data-verdict", "several");
  await expect(judge).toContainText("That is the goal, but 2 knobs are turned:");
  await lab.get("lesson-take-back").click();
  await lab.whenIdle();
  await expect(judge).toContainText("Not there yet.");
  await expect(lab.get("lesson-take-back")).toBeDisabled();
  await lab.get("lesson-give-up").locator("summary").click();
  await lab.get("lesson-show-solution").click();
  await lab.whenIdle();
  await expect(lab.get("lesson-solution")).toContainText("RT balancing = active_plist");
  await expect(puzzle).toHaveAttribute("data-verdict", "given");
  await expectAccessible(lab, "a puzzle whose solution is shown");
});

test("who does not want to bet sees the answer and the picture all the same", async ({ lab }) => {
  await lab.open("learn/herd/#1");
  await lab.get("lesson-next").click();
  await expect(lab.get("lesson")).toHaveAttribute("data-betting", "false");
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "1");
  await expect(lab.get("lesson-bet")).toContainText("The run says: Nearly all of them.");
  await lab.get("lesson-next").click();
  await expect(lab.get("lesson")).toHaveAttribute("data-scene", "2");
});

test(
  "an open bet hides the answer's numbers from eyes, screen readers and paper, in every lesson and its talk",
  LONG,
  async ({ lab }) => {
    for (const id of readdirSync("lessons").flatMap(
      (name) => /^(.+)[.]json$/.exec(name)?.[1] ?? [],
    )) {
      for (const address of [`learn/${id}/#1`, `present/${id}/#1`]) {
        await lab.open(address);
        const covered = lab.page.locator('[data-betting="true"]');
        if ((await covered.count()) === 0) continue;
        await expect(lab.page.locator(".score-figure:visible"), address).toHaveCount(0);
        await expect(
          lab.page.getByRole("region", { name: "Results" }),
          `${address}, read aloud`,
        ).toHaveCount(0);
        await expect(
          lab.page.locator(".stage:visible:not([inert] *)"),
          `${address}, read aloud`,
        ).toHaveCount(0);
        await lab.page.emulateMedia({ media: "print" });
        await expect(
          lab.page.locator(".score-figure:visible, .stage:visible"),
          `${address}, on paper`,
        ).toHaveCount(0);
        await lab.page.emulateMedia({ media: "screen" });
        if (address.startsWith("learn")) await lab.get("lesson-next").click();
        else await lab.press("PageDown");
        await expect(covered).toHaveCount(0);
        await expect(
          lab.page.locator(".score-figure:visible").first(),
          `${address}, after the bet`,
        ).toBeVisible();
      }
    }
  },
);

test("a scene has an address, Back goes a scene back, and the end leads to the next lesson and to the list", async ({
  lab,
}) => {
  const scene = lab.get("lesson");
  await lab.open("learn/migrate/?seed=5#3");
  await expect(scene, "a link opens its scene").toHaveAttribute("data-scene", "3");
  await lab.get("lesson-next").click();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/\/learn\/migrate\/\?seed=5#4$/);
  await lab.page.goBack();
  await lab.whenIdle();
  await expect(scene).toHaveAttribute("data-scene", "3");
  await lab.page.goForward();
  await lab.whenIdle();
  await expect(scene).toHaveAttribute("data-scene", "4");
  await lab.open("learn/migrate/");
  await expect(scene, "without a scene in the address, where one stopped").toHaveAttribute(
    "data-scene",
    "4",
  );
  await expect(lab.page).toHaveURL(/\/learn\/migrate\/#4$/);
  await lab.get("lesson-next").click();
  await lab.whenIdle();
  await expect(lab.get("lesson-onward")).toHaveText(
    "Next lesson: The interrupt that wakes an idle CPU",
  );
  await expect(lab.get("lesson-onward")).toHaveAttribute("href", /\/learn\/idle-kick\/$/);
  await expectAccessible(lab, "the end of a lesson");
  await lab.get("lesson-end").click();
  await lab.whenIdle();
  await expect(lab.get("lesson-migrate"), "the list opens at the lessons").toBeInViewport();
  await expect(lab.get("lesson-migrate")).toHaveAttribute("data-progress", "begun");
  await expect(lab.get("lesson-migrate")).toContainText("5 of 5 scenes seen");
  await expect(lab.get("lesson-herd")).toHaveAttribute("data-progress", "new");
  await lab.get("picker-search").fill("limits.cpu");
  await expect(
    lab.get("lesson-container-limit"),
    "a word of a scene finds its lesson",
  ).toBeVisible();
  await expect(lab.get("lesson-migrate")).toHaveCount(0);
  await expectAccessible(lab, "the list with lessons begun");
});

test("on a phone a lesson's text begins on the first screen, and playing takes one row that lies over nothing", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open("learn/herd/#2");
  const box = async (id: string): Promise<{ top: number; bottom: number }> => {
    const { y, height } = (await lab.get(id).boundingBox()) ?? { y: NaN, height: NaN };
    return { top: y, bottom: y + height };
  };
  const [transport, text] = [await box("transport"), await box("lesson-scene")];
  expect(transport.bottom - transport.top, "one row").toBeLessThan(56);
  expect(text.top, "below its picture").toBeGreaterThanOrEqual(transport.bottom);
  expect(text.top).toBeLessThan(600);
  expect(await lab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await lab.open("learn/herd/#1");
  await expect(lab.get("lesson-next"), "a bet and its way on are one screen").toBeInViewport();
});

test(
  "a lesson that is not there says so; all lessons stand below the questions",
  LONG,
  async ({ lab }) => {
    await lab.open("");
    await lab.get("picker-open").click();
    await lab.get("lesson-lazy").click();
    await lab.whenIdle();
    await expect(lab.get("lesson")).toBeVisible();
    await expect(lab.page).toHaveURL(/\/learn\/lazy\/(?:#|$)/);
  },
);

test(
  "every named word of the lessons for operators finds its CPUs in its own picture",
  LONG,
  async ({ lab }) => {
    for (const [lesson, scenes] of [
      ["container-limit", [1, 2, 3, 5]],
      ["idle-kick", [1, 2, 3, 4]],
      ["stranded-quota", [1, 2, 3, 4, 5]],
    ] as const) {
      await lab.open(`learn/${lesson}/`);
      for (const scene of scenes) {
        await lab.get(`lesson-dot-${scene}`).click();
        await lab.whenIdle();
        const [choice, words] = [lab.get("lesson-choice-1"), lab.get("lesson-word")];
        await expect(choice.or(words).first(), `${lesson} ${scene}`).toBeVisible();
        if (await choice.isVisible()) await choice.click();
        await expect(words.first(), `${lesson} ${scene}`).toBeVisible();
        for (const word of await words.all())
          await expect(word, `${lesson} ${scene}: ${await word.innerText()}`).toHaveAttribute(
            "title",
            /^In the picture: CPU \d/,
          );
      }
    }
  },
);

test(
  "words of a lesson and lanes of its picture mark each other, by pointer and by keyboard",
  LONG,
  async ({ lab }) => {
    await lab.open("learn/stranded-quota/");
    await lab.get("lesson-dot-4").click();
    await lab.whenIdle();
    const word = lab.get("lesson-word");
    const emphasised = lab.page.locator('[data-emphasis="0"]');
    await expect(word).toHaveText("The fast thread");
    await expect(word).toHaveAttribute("title", "In the picture: CPU 0");
    await expect(emphasised, "all lanes are alike").toHaveCount(0);
    await word.hover();
    await expect(emphasised.first()).toBeVisible();
    await lab.get("lesson-back").hover();
    await expect(emphasised, "the words are left").toHaveCount(0);
    await lab.get("lesson-back").focus();
    const terms = await lab.get("lesson-scene").getByTestId("term").count();
    for (let each = 0; each <= terms; each += 1) await lab.press("Shift+Tab");
    await expect(
      word,
      "it is reached by the keyboard, before the terms that follow it",
    ).toBeFocused();
    await expect(emphasised.first()).toBeVisible();
    await expect(word).toHaveAttribute("data-pointed", "false");
    await lab.page.locator('[data-cpu="0"]').first().focus();
    await expect(word, "a lane that is pointed at marks its words").toHaveAttribute(
      "data-pointed",
      "true",
    );
    await expect(emphasised, "the words are left by the keyboard").toHaveCount(0);
    await expectAccessible(lab, "a lesson with named words");
  },
);

test("on paper a lesson's picture keeps the layout of the screen, as small as the sheet needs, and no button is printed", async ({
  lab,
}) => {
  await lab.open("learn/lazy/#3");
  const machine = lab.get("machine");
  /** Where the axis' end, B and its last lanes lie, in parts of the picture. */
  const layout = (): Promise<readonly number[]> =>
    machine.evaluate((stage) => {
      const whole = stage.getBoundingClientRect();
      return ["timeline-a", "lanes-a", "timeline-b", "lanes-b"].flatMap((id) => {
        const box = stage.querySelector(`[data-testid="${id}"]`)?.getBoundingClientRect();
        return box === undefined
          ? []
          : [(box.right - whole.left) / whole.width, (box.bottom - whole.top) / whole.height];
      });
    });
  const before = await layout();
  expect(before.length).toBe(8);
  await lab.page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await lab.page.emulateMedia({ media: "print" });
  const sheet = { width: 688, height: 1016 }; // A4 with the page's margins.
  await lab.page.setViewportSize(sheet);
  const printed = await layout();
  for (const [index, part] of before.entries()) expect(printed[index]).toBeCloseTo(part, 2);
  expect((await machine.boundingBox())?.width).toBeLessThanOrEqual(sheet.width);
  for (const id of ["lesson-present", "lesson-lab", "lesson-back", "lesson-next", "transport"])
    await expect(lab.get(id)).toBeHidden();
  await expect(lab.page.getByText("event by event")).toBeHidden();
  await expect(lab.get("lesson-scene")).toBeVisible();
});

test("on a phone on its side a lesson's picture has lanes, not its ruler and its figures alone", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 740, height: 360 });
  await lab.open("learn/container-limit/");
  await lab.get("lesson-next").click();
  await lab.whenIdle();
  const last = await lab.get("lanes-a").locator("[data-cpu='4']").boundingBox();
  const legend = await lab.get("guide-legend").boundingBox();
  expect(
    (last?.y ?? Infinity) + (last?.height ?? 0),
    "the last CPU that works lies above the legend",
  ).toBeLessThanOrEqual(legend?.y ?? 0);
});

test("on a phone the numbers of A and B stand side by side", async ({ lab }) => {
  for (const width of [360, 430]) {
    await lab.page.setViewportSize({ width, height: 800 });
    for (const scene of ["herd/#2", "container-limit/#4"]) {
      await lab.open(`learn/${scene}`);
      // Numbers come after the bet, which a lesson that was open before still has.
      const choice = lab.get("lesson-choice-1");
      await expect(choice.or(lab.get("headline")).first()).toBeVisible();
      if ((await choice.isVisible()) && (await choice.isEnabled())) await choice.click();
      const parts = lab
        .get("headline")
        .locator(".score-row:first-of-type :is(.badge, .score-figure)");
      await expect(parts, scene).toHaveCount(4);
      const boxes = await parts.evaluateAll((all) =>
        all
          .map((part) => part.getBoundingClientRect())
          .map(({ left, right }) => [left, right] as const),
      );
      for (const [index, [left]] of boxes.entries())
        expect(left, `${scene} at ${width} px`).toBeGreaterThanOrEqual(boxes[index - 1]?.[1] ?? 0);
      expect(boxes.at(-1)?.[1], "the last is whole").toBeLessThanOrEqual(width);
    }
  }
});
