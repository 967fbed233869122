// From what happened to the rule that made it: a function of the kernel, its file, and an address
// at the tag of the run's version.

import { expect, framed, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const SOURCE =
  /^https:\/\/git\.kernel\.org\/pub\/scm\/linux\/kernel\/git\/(torvalds|stable)\/linux\.git\/tree\/[\w/.-]+\?h=v[\d.]+$/;

/** Function names of all links inside a part of the page, each of which must lead to a tag. */
async function functionsIn(lab: Lab, testId: string): Promise<readonly string[]> {
  const links = lab.get(testId).getByTestId("rule-link");
  await expect(links.first()).toBeAttached();
  for (const link of await links.all()) await expect(link).toHaveAttribute("href", SOURCE);
  return await links.allInnerTexts();
}

async function clickLanes(lab: Lab, share: number, cpu: number, cpus: number): Promise<void> {
  const box = await lab.get("lanes-a").boundingBox();
  if (box === null) throw new Error("no lanes");
  await lab.page.mouse.click(box.x + box.width * share, box.y + (box.height * (cpu + 0.5)) / cpus);
  await lab.whenIdle();
}

test("a stretch of lost quota leads to throttle_cfs_rq() in the run's version: from the tooltip, the dock and the cause", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  await clickLanes(lab, 0.4, 6, 8);
  await expect(lab.get("lane-tip")).toContainText("throttled: fibtest is out of quota");
  await expect(lab.get("lane-tip")).toContainText(
    "kernel: throttle_cfs_rq(), kernel/sched/fair.c, 5.4, commit 85dac906bec3; rule: throttle",
  );
  await lab.get("dock-why").click();
  expect(await functionsIn(lab, "rules-here")).toContain("throttle_cfs_rq()");
  await expect(lab.get("rules-here").getByTestId("rule-uses").first()).toHaveAttribute(
    "href",
    /^https:\/\/elixir\.bootlin\.com\/linux\/v5\.4\/A\/ident\/\w+$/,
  );
  await expect(lab.get("rules-here").getByTestId("commit-link").first()).toHaveAttribute(
    "href",
    /^https:\/\/git\.kernel\.org\/linus\/[0-9a-f]{12}$/,
  );
  expect(await functionsIn(lab, "waterfall-a")).toContain("throttle_cfs_rq()");
});

test(
  "from what was clicked, a cause and a remark a link opens the model's chapter at its rule",
  LONG,
  async ({ lab }) => {
    await lab.open("s/quota-stranded/");
    await clickLanes(lab, 0.4, 6, 8);
    await lab.get("dock-why").click();
    const link = lab
      .get("rules-here")
      .getByTestId("model-link")
      .filter({ hasText: "rule: throttle" });
    const opened = lab.page.waitForEvent("popup");
    await link.first().click();
    const chapter = await opened;
    await expect(chapter).toHaveURL(/\/model\/bandwidth\/#throttle$/);
    await expect(chapter.locator(":target")).toHaveText("Throttle");
    await expect(chapter.locator(":target")).toBeInViewport();
    await chapter.close();
    await expect(lab.get("waterfall-a").getByTestId("model-link").first()).toHaveAttribute(
      "href",
      /\/model\/[\w-]+\/#[\w-]+$/,
    );
    await lab.open("s/quota-double-spend/");
    await lab.get("dock-sources").click();
    await expect(lab.get("remarks-a").getByTestId("model-link").first()).toHaveAttribute(
      "href",
      /\/model\/bandwidth\/#quota-pathologies$/,
    );
  },
);

test("the event that was stepped to names its function with the way to the source", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  await clickLanes(lab, 0.4, 6, 8);
  await lab.press(".");
  await expect(lab.get("event-line")).toContainText("CPU 6 gets 1 ns for its throttled queue");
  expect(await functionsIn(lab, "event-line")).toContain("distribute_cfs_runtime()");
});

test(
  "Sources lists the function behind every kind of mark, state and cause",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.get("dock-sources").click();
    await lab.get("rules-table").locator("summary").click();
    const called = await functionsIn(lab, "rules-table");
    expect(called).toEqual(
      expect.arrayContaining([
        "pull_rt_task()",
        "push_rt_task()",
        "arch_spin_lock()",
        "scheduler_tick()",
      ]),
    );
    const rows = lab.get("rules-table").getByTestId("rules-row");
    expect(await rows.count()).toBeGreaterThan(30);
    // Only what no function of the kernel does has none, firmware and host among it; each
    // has a rule of the model.
    const bare = await rows.evaluateAll((all) =>
      all
        .filter((row) => row.querySelector("[data-testid=rule-link]") === null)
        .map((row) => row.getAttribute("data-name")),
    );
    expect(bare).toEqual(["user", "kernel", "stopped", "user_spin", "SMI", "stolen by the host"]);
  },
);

test(
  "Sources leads to where the scenario comes from, and its short name to the page of sources",
  LONG,
  async ({ lab }) => {
    await lab.open("s/rt-pull-herd/");
    await lab.get("dock-sources").click();
    const sources = lab.get("scenario-sources");
    await expect(
      sources.getByRole("link", {
        name: "Steven Rostedt: sched/rt: Use IPI to trigger RT task push migration instead of pulling, 4.1",
      }),
    ).toHaveAttribute("href", "https://git.kernel.org/linus/b6366f048e0c");
    const opened = lab.page.waitForEvent("popup");
    await sources.getByTestId("source-name").filter({ hasText: "Rostedt 2015" }).click();
    const page = await opened;
    await expect(page).toHaveURL(/\/sources\/#rostedt-2015$/);
    await expect(page.locator("tr:has(:target)")).toContainText(
      "Use IPI to trigger RT task push migration",
    );
    await page.close();
  },
);

test("a term in a story, in the quota panel and in a remark opens the glossary at its row, by keyboard too", async ({
  lab,
}) => {
  await lab.open("s/quota-stranded/");
  await lab.dock("story");
  const term = lab
    .get("story")
    .getByTestId("term")
    .filter({ hasText: /^silos?$/ })
    .first();
  await term.focus();
  const opened = lab.page.waitForEvent("popup");
  await lab.page.keyboard.press("Enter");
  const glossary = await opened;
  await expect(glossary).toHaveURL(/\/glossary\/#silo$/);
  await expect(glossary.locator("tr:has(:target)")).toContainText(
    "what one CPU holds of a group's quota",
  );
  const anchors = await glossary.evaluate(() =>
    [...document.querySelectorAll("[id]")].map(({ id }) => id),
  );
  await glossary.close();
  for (const place of ["story", "numbers"] as const) {
    await lab.dock(place);
    const terms = lab.get(`dock-panel-${place}`).getByTestId("term");
    await expect(terms.first()).toBeAttached();
    const leads = await terms.evaluateAll((all) =>
      all.map((each) => each.getAttribute("href")?.replace(/^.*#/, "") ?? ""),
    );
    expect(anchors, place).toEqual(expect.arrayContaining(leads));
  }
  await lab.dock("story");
  await expect(
    lab.get("story").locator("a a, button [data-testid=term], h3 [data-testid=term]"),
  ).toHaveCount(0);
  await lab.open("s/quota-double-spend/");
  await lab.dock("sources");
  await expect(lab.get("remarks-a").getByTestId("term").first()).toHaveAttribute(
    "href",
    /\/glossary\/#\w+$/,
  );
});

test("the function behind a selected wake-up is that of its CPU", async ({ lab }) => {
  await lab.open(`s/rt-pull-herd/#${framed("k.machine.cpus=7&k.duration=20ms")}`);
  await lab.get("headline-latency.cyclictest.max_ns-a").click();
  await lab.whenIdle();
  const [, cpu = ""] =
    /on CPU (\d+)/.exec(await lab.get("waterfall-a").locator("..").innerText()) ?? [];
  expect(cpu).not.toBe("");
  await expect(lab.get("rules-here")).toContainText(`CPU ${cpu}, around`);
});
