// Search and palette: everything by its name, by keys alone.

import { expect, fieldsOf, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

/** Opens the search, types, and chooses what is then active. */
async function find(
  lab: Lab,
  query: string,
  key: "Enter" | "Shift+Enter" = "Enter",
): Promise<void> {
  // Not the letter: a knob that was found has the focus.
  await lab.page.keyboard.press("Control+k");
  await lab.get("palette-field").fill(query);
  await lab.page.keyboard.press(key);
}

async function findAndGo(lab: Lab, query: string, key?: "Enter" | "Shift+Enter"): Promise<void> {
  await find(lab, query, key);
  await expect(lab.get("palette")).toHaveCount(0);
  await lab.whenIdle();
}

test("what is typed before the search has come is in its field, and nothing else acts on those keys", async ({
  lab,
}) => {
  let arrived = (): void => undefined;
  const wanted = new Promise<void>((resolve) => (arrived = resolve));
  await lab.page.route(/Palette-[^/]*[.]js/, async (route) => {
    await wanted;
    await route.continue();
  });
  await lab.page.goto(QUICK);
  await expect(lab.get("timeline-a")).toBeVisible();
  const theme = await lab.page.locator("html").getAttribute("data-theme");
  await lab.page.keyboard.type("/pk cpu 12");
  await lab.page.keyboard.press("Backspace");
  arrived();
  await expect(lab.get("palette-field")).toHaveValue("pk cpu 1");
  await lab.page.keyboard.type("5");
  await expect(lab.get("palette-field")).toHaveValue("pk cpu 15");
  await expect(lab.page.locator("html"), "P is the projector's key").toHaveAttribute(
    "data-theme",
    theme ?? "",
  );
});

test(
  "the search is a combobox whose arrows move through a list of options, and Escape leaves everything as it was",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    const [view, playhead] = [await lab.view(), await lab.playhead()];
    await lab.page.keyboard.press("Control+k");
    const field = lab.page.getByRole("combobox", { name: /^Find a task/ });
    await expect(field).toBeFocused();
    await field.fill("cpu 1");
    const active = lab.get("palette-list").getByRole("option", { selected: true });
    await expect(active, "the whole name comes first").toHaveText(/^CPU\s*CPU 1$/);
    const ids = async (): Promise<string> => (await active.getAttribute("id")) ?? "";
    await expect(field).toHaveAttribute("aria-activedescendant", await ids());
    await lab.page.keyboard.press("ArrowDown");
    await expect(active).toContainText("CPU 10");
    await expect(field).toHaveAttribute("aria-activedescendant", await ids());
    await expect(field, "the focus never leaves the field").toBeFocused();
    await field.fill("hello world");
    await expect(lab.get("palette-list").getByRole("option")).toHaveCount(0);
    await expect(field).toHaveAttribute("aria-expanded", "false");
    await expect(lab.get("palette-said")).toContainText("Nothing here is called “hello world”");
    await lab.page.keyboard.press("Escape");
    await expect(lab.get("palette")).toHaveCount(0);
    expect(await lab.view()).toEqual(view);
    expect(await lab.playhead()).toBe(playhead);
  },
);

test(
  "a mark by its name: Enter goes to the next one, Shift+Enter back to the one before, again and again",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.press("0");
    const instants: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      await findAndGo(lab, "next herd");
      instants.push(await lab.playhead());
      await expect(lab.get("event-line")).toContainText("9 in the queue");
    }
    expect(new Set(instants).size).toBe(3);
    expect(instants).toEqual([...instants].sort((one, other) => one - other));
    // The last search is there again: the key and Enter are enough.
    await lab.page.keyboard.press("/");
    await expect(lab.get("palette-field")).toHaveValue("next herd");
    await lab.page.keyboard.press("Shift+Enter");
    await expect(lab.get("palette")).toHaveCount(0);
    expect(await lab.playhead()).toBe(instants[1]);
    await findAndGo(lab, "next ipi");
    expect(await lab.playhead()).toBeGreaterThan(instants[1] ?? 0);
    await expect(lab.get("event-line")).toContainText("IPI");
  },
);

test("a task, a CPU, a lock and the worst wake-up of a kind are gone to and selected", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await findAndGo(lab, "cyclictest.5");
  await expect(lab.get("event-line")).toContainText("cyclictest.5");
  await expect(lab.get("waterfall-a-name")).toContainText("cyclictest.5");
  await findAndGo(lab, "CPU 7");
  await expect(lab.get("event-line")).toContainText("CPU 7 ");
  await findAndGo(lab, "rq 0 lock");
  await expect(lab.get("event-line")).toContainText("rq 0 lock");
  await findAndGo(lab, "worst wake-up cyclictest A");
  const found = await lab.waterfall("a");
  await lab.press("Escape");
  await lab.press("l");
  expect(await lab.waterfall("a"), "the one that L takes").toEqual(found);
});

test("where nothing is left in that direction the search says so and stays", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.scrub(0);
  await find(lab, "next herd", "Shift+Enter");
  await expect(lab.get("palette-said")).toHaveText(/^Nothing of “herds: next” before 0/);
  await expect(lab.get("palette")).toBeVisible();
});

test(
  "a knob gets the focus wherever it was hidden; variants, steps, themes, scenarios and commands are done",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.press("b");
    await expect(lab.get("rail")).toHaveCount(0);
    await findAndGo(lab, "kernel.hz");
    await expect(
      lab
        .get("knob-kernel.hz")
        .locator(":focus")
        .or(lab.page.locator("[data-testid='knob-kernel.hz']:focus")),
    ).toHaveCount(1);
    await findAndGo(lab, "theme light");
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "light");
    await findAndGo(lab, "step 2");
    await expect(lab.get("story-caption")).toHaveAttribute("data-step", "2");
    await findAndGo(lab, "both sides, or one");
    await expect(lab.get("timeline-b"), "the command pressed its key").toHaveCount(0);
    await findAndGo(lab, "keyboard help");
    await expect(lab.get("help")).toBeVisible();
    await lab.page.keyboard.press("Escape");
    await findAndGo(lab, "quota-stranded");
    await expect(lab.page).toHaveURL(/\/s\/quota-stranded\//);
    await findAndGo(lab, "next refill");
    await expect(lab.get("event-line")).toContainText("refills");
  },
);

test("what the page's buttons do is done from the search: by its own name or by another word for it", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  const shut = async (testId: string): Promise<void> => {
    await lab.page.keyboard.press("Escape");
    await expect(lab.get(testId)).toHaveCount(0);
  };
  await findAndGo(lab, "link share");
  await expect(lab.get("share-link")).toBeVisible();
  await shut("share");
  await findAndGo(lab, "qr code");
  await expect(lab.get("share-qr")).toBeInViewport();
  await shut("share");
  await findAndGo(lab, "smallest value bisect");
  await expect(lab.get("sweep-search-bound")).toBeFocused();
  await shut("sweep");
  await findAndGo(lab, "film webm");
  await expect(lab.get("picture")).toBeVisible();
  await shut("picture");
  await findAndGo(lab, "single-letter");
  await expect(lab.get("letters-on")).not.toBeChecked();
  await lab.get("letters-on").check();
  await shut("help");
  await findAndGo(lab, "sources references");
  await expect(lab.get("dock-sources")).toHaveAttribute("aria-selected", "true");
  await findAndGo(lab, "taskset");
  await expect(lab.get("real-machine")).toBeInViewport();
  await findAndGo(lab, "breakpoint refill");
  await expect(lab.get("find-said")).toContainText(/refill/);
  await lab.page.keyboard.press("Escape");
  await findAndGo(lab, "loop the view");
  await expect(lab.get("loop")).toHaveAttribute("aria-pressed", "false");
  await findAndGo(lab, "template");
  await expect(lab.get("start-from")).toBeFocused();
  await findAndGo(lab, "gallery scenarios");
  await expect(lab.get("picker")).toBeVisible();
  await lab.page.keyboard.press("Escape");
  await find(lab, "take back revert");
  await expect(lab.get("palette-said"), "what cannot be done says why").toHaveText(
    "There is nothing to undo.",
  );
  await lab.get("palette-field").fill("strip C");
  await expect(
    lab.get("palette-list").getByRole("option", { name: "Remove strip C" }),
    "there is none",
  ).toHaveCount(0);
  await lab.get("palette-field").fill("lesson");
  await expect(
    lab.get("palette-list").getByRole("option").filter({ hasText: "minutes" }).first(),
  ).toContainText("lesson");
  await lab.get("palette-field").fill("glossary");
  await lab.page.keyboard.press("Enter");
  await expect(lab.page).toHaveURL(/\/glossary\/$/);
});

test("a figure and a group's cpu.stat are found by the names that the kernel gives them", async ({
  lab,
}) => {
  await lab.open("s/quota-average-lies/");
  await find(lab, "nr_throttled");
  await expect(lab.get("palette")).toHaveCount(0);
  await lab.page.keyboard.press("Control+k");
  const options = lab.get("palette-list").getByRole("option");
  await expect(options.filter({ hasText: /^metric/ }).first()).toBeVisible();
  await expect(options.filter({ hasText: "cpu.stat" }).first()).toBeVisible();
  await options.filter({ hasText: "cpu.stat" }).first().click();
  await expect(lab.get("quota")).toBeInViewport();
});

test("a word with a slip in it finds what was meant and says so", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.page.keyboard.press("/");
  await lab.get("palette-field").fill("projetcor");
  await expect(lab.get("palette-said")).toContainText("for “projector”");
  await expect(
    lab.get("palette-list").getByRole("option", { name: "projector theme", exact: false }).first(),
  ).toBeVisible();
});

test("the glass in the bar opens the search for mouse and touch, shows its keys, and gets the focus back", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const glass = lab.page.getByRole("button", { name: "Search and commands" });
  await expect(glass).toContainText("Ctrl K");
  await glass.click();
  await expect(lab.get("palette-field")).toBeFocused();
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("palette")).toHaveCount(0);
  await expect(glass).toBeFocused();
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await expect(glass).toBeVisible();
  await expect(glass.locator("kbd").first()).toBeHidden();
});

test(
  "the longest sample of a tool and the samples of one task are found, selected, and walked in order",
  LONG,
  async ({ lab }) => {
    await lab.open("s/quota-web-p95/");
    await findAndGo(lab, "longest answer A");
    const selected = (): Promise<string> =>
      lab.copyLink().then((link) => fieldsOf(link)["sel"] ?? "");
    const longest = await selected();
    expect(longest).toMatch(/\.s\d+$/);
    const task = longest.replace(/\.s\d+$/, "");
    await lab.press("0");
    await lab.scrub(0);
    const instants: number[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      await findAndGo(lab, `samples of ${task}`);
      instants.push(await lab.playhead());
      expect(await selected()).toMatch(new RegExp(`^${task.replaceAll(".", "\\.")}\\.s\\d+$`));
    }
    expect(instants[1]).toBeGreaterThan(instants[0] ?? Infinity);
    await findAndGo(lab, `samples of ${task}`, "Shift+Enter");
    expect(await lab.playhead()).toBe(instants[0]);
  },
);

test("an instant, a lane's own label and a function of the kernel are found by what they are called", async ({
  lab,
}) => {
  await lab.open("s/quota-tree/");
  await findAndGo(lab, "700ms");
  expect(await lab.playhead()).toBe(700_000_000);
  await find(lab, "throttle_cfs_rq");
  await expect(lab.get("palette"), "the mark that the function makes").toHaveCount(0);
  await lab.whenIdle();
  expect(await lab.playhead()).not.toBe(700_000_000);
  await lab.page.keyboard.press("Control+k");
  await lab.get("palette-field").fill("cpu2");
  await expect(lab.get("palette-list").getByRole("option").first()).toHaveText(/CPU 2/);
});

test("events are found by the trace's name and by the kernel's function; Enter goes to the next and to its CPU, with Shift to the one before", async ({
  lab,
}) => {
  await lab.open("s/rt-pull-herd/");
  const start = await lab.playhead();
  await findAndGo(lab, "sim_pull_try");
  await lab.whenIdle();
  const first = await lab.playhead();
  expect(first, "after the playhead; where the page put that, the first in view").not.toBe(start);
  await findAndGo(lab, "sim_pull_try");
  await lab.whenIdle();
  expect(await lab.playhead()).toBeGreaterThan(first);
  await lab.page.keyboard.press("/");
  await expect(lab.get("palette-field")).toHaveValue("sim_pull_try");
  await lab.page.keyboard.press("Shift+Enter");
  await lab.whenIdle();
  expect(await lab.playhead()).toBe(first);
  await lab.page.keyboard.press("/");
  await lab.get("palette-field").fill("rt_clear_overload");
  await expect(lab.get("palette-list").getByRole("option").first()).toContainText("sim_rto_clear");
});
