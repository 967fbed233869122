// Quota in the page: the books of a group add up as they are shown, cpu.stat is beside them in
// either unit, the tank follows the playhead, and cpu.max is turned as two fields.

import { expect, framed, SIDES, test, type Lab } from "./support/lab.ts";
import { SCENARIO } from "./support/quota.ts";
import { LONG } from "./support/thorough.ts";

const CPU_MAX = "cgroups.web.cpu_max";

async function openQuota(lab: Lab): Promise<void> {
  await lab.open("lab/");
  await lab.write(SCENARIO);
  await lab.dock("numbers");
  await expect(lab.get("quota")).toBeVisible();
}

/** Numbers as printed, thin spaces taken out. */
function numbers(text: string): readonly number[] {
  return (text.replaceAll("\u202f", "").match(/\d+/g) ?? []).map(Number);
}

test("the books of each side add up as shown, and used of entitled is their headline", async ({
  lab,
}) => {
  await openQuota(lab);
  for (const side of SIDES) {
    const books = lab.get(`quota-books-web-${side}`);
    await expect(books).toHaveAttribute("data-balanced", "true");
    for (const table of await books.locator("table").all()) {
      const cells = await table.locator("tr td:nth-child(2)").allTextContents();
      const values = cells.map((cell) => numbers(cell)[0] ?? 0);
      const total = values.pop();
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(total);
    }
    const [came, went] = numbers(await lab.get(`quota-sum-web-${side}`).innerText());
    expect(came).toBe(went);
    const share = Number(await lab.get(`quota-used-web-${side}`).getAttribute("data-value"));
    expect(share).toBeGreaterThan(5000);
  }
  const used = (side: string): Promise<string> => lab.get(`quota-web-${side}`).innerText();
  expect(await used("a")).toContain("10 ms of every 100 ms");
  expect(await used("b")).toContain("20 ms of every 100 ms");
});

test("cpu.stat counts in us under v2 and in ns under v1", async ({ lab }) => {
  await openQuota(lab);
  const read = async (name: string): Promise<number> =>
    Number(await lab.get(`file-web-${name}-a`).getAttribute("data-value"));
  const us = await read("throttled_usec");
  expect(us).toBeGreaterThan(0);
  expect(await read("nr_throttled")).toBeGreaterThan(0);
  await lab.get("quota-units-v1").check({ force: true });
  expect(Math.floor((await read("throttled_time")) / 1000)).toBe(us);
});

test("the tank speaks of the playhead's instant, and a throttled lane says so under the pointer", async ({
  lab,
}) => {
  await openQuota(lab);
  await lab.scrub(0.0);
  await expect(lab.get("tank-web-a")).toHaveAttribute("data-pool", /^\d+$/);
  const before = await lab.get("tank-words-web-a").innerText();
  await lab.scrub(0.2);
  await expect(lab.get("tank-words-web-a")).not.toHaveText(before);
  await expect(lab.get("quota-now-web-a")).toContainText("At the playhead");
  const lanes = await lab.get("lanes-a").boundingBox();
  if (lanes === null) throw new Error("no lanes");
  const { width, height } = lanes;
  const seen: string[] = [];
  for (let row = 0; row < 8; row += 1) {
    seen.push(await lab.hoverLanes("a", { x: width * 0.28, y: (height * (row + 0.6)) / 8 }));
  }
  expect(
    seen.filter((text) => /throttled: web is out of quota here/.test(text)).length,
  ).toBeGreaterThan(0);
});

test("quota and period are two fields; what no kernel takes is said at once, and undo brings the old value back", async ({
  lab,
}) => {
  await openQuota(lab);
  const quota = lab.get(`knob-${CPU_MAX}-a-quota`);
  await expect(quota).toHaveValue("10 ms");
  await expect(lab.get(`knob-${CPU_MAX}-a`)).toHaveText("10000 100000");
  const before = await lab.digest("a");
  await quota.fill("500us");
  await expect(lab.get(`knob-card-${CPU_MAX}`)).toContainText(
    "expected max, or a time of 1 ms or more",
  );
  await quota.fill("1.5");
  await expect(lab.get(`knob-card-${CPU_MAX}`)).toContainText(
    "1.5 CPUs are 150 ms in a period of 100 ms",
  );
  await quota.fill("40ms");
  await quota.press("Enter");
  await lab.whenIdle();
  await expect(lab.get(`knob-${CPU_MAX}-a`)).toHaveText("40000 100000");
  expect(await lab.digest("a")).not.toBe(before);
  await lab.get("undo").click();
  await lab.whenIdle();
  await expect(quota).toHaveValue("10 ms");
  expect(await lab.digest("a")).toBe(before);
});

test(
  "where refills lie between ticks is said, and dragged from where the seed drew it",
  LONG,
  async ({ lab }) => {
    const phase = "cgroups.fibtest.period_phase";
    await lab.open("s/quota-stranded/");
    await lab.dock("numbers");
    const words = lab.get("quota-phase-fibtest-a");
    await expect(words).toHaveText(
      /^First refill at [\d.]+ ms, φ = [\d.]+ (µs|ns) before CPU 0’s next tick\.$/,
    );
    const drawn = await words.textContent();
    await expect(lab.knob(phase)).toHaveValue("auto");
    const slider = lab.get(`knob-${phase}-slider`);
    const at = Number(await slider.inputValue());
    await slider.press("ArrowRight");
    await lab.whenIdle();
    expect(Number(await slider.inputValue()), "one step from the drawn place").toBe(at + 1);
    await expect(lab.knob(phase)).toHaveValue(/^[\d.]+ (ms|µs)$/);
    await expect(words).not.toHaveText(drawn ?? "");
  },
);

test("cpu.max is written to the running kernel from the playhead on, the books still close, and undo takes it back", async ({
  lab,
}) => {
  await openQuota(lab);
  const before = await lab.digest("a");
  await lab.scrub(0.5);
  await lab.fromHere(CPU_MAX);
  const quota = lab.get(`knob-${CPU_MAX}-a-quota`);
  await quota.fill("50ms");
  await quota.press("Enter");
  await lab.whenIdle();
  const after = await lab.digest("a");
  expect(after, "A has become another run").not.toBe(before);
  await expect(lab.get(`knob-${CPU_MAX}-live`)).toContainText("50 ms / 100 ms from 150 ms on");
  await expect(lab.get("setup")).toContainText("becomes 50 ms / 100 ms at 150 ms");
  await expect(lab.get("quota-books-web-a"), "the books still close").toHaveAttribute(
    "data-balanced",
    "true",
  );
  await expect(lab.get("quota-used-web-a").locator("..")).toContainText(
    "10 ms of every 100 ms, 50 ms of every 100 ms from 150 ms on",
  );
  await lab.get("undo").click();
  await lab.whenIdle();
  expect(await lab.digest("a")).toBe(before);
});

test(
  "on a small screen the books fit, and a run without groups has no quota panel",
  LONG,
  async ({ lab }) => {
    await lab.page.setViewportSize({ width: 390, height: 844 });
    await openQuota(lab);
    const widths = await lab.page.evaluate(() => [
      document.documentElement.scrollWidth,
      window.innerWidth,
    ]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    await lab.open("s/rt-push-chain/");
    await lab.dock("numbers");
    await expect(lab.get("quota")).toHaveCount(0);
  },
);

/** 64 groups of 10 ms in 50 on 4 CPUs, one hog in each. */
const MANY = JSON.stringify({
  schema: 1,
  title: "Many groups",
  duration: "60ms",
  seed: 3,
  machine: { cpus: 4, costs: "modern_2s_qspin" },
  kernel: { version: "6.1" },
  cgroups: Object.fromEntries(groupNames(64).map((name) => [name, { cpu_max: "10000 50000" }])),
  workload: {
    tasks: Object.fromEntries(
      groupNames(64).map((name) => [`hog-${name}`, { run: 1000, taskgroup: `/${name}` }]),
    ),
  },
  headline: ["groups.g00.usage_ns"],
});

function groupNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `g${String(at).padStart(2, "0")}`);
}

test(
  "every group of 64 has a tank: by pages, by name, by mouse and by keyboard, on both sides; and its books open",
  LONG,
  async ({ lab }) => {
    await lab.open("lab/");
    await lab.write(MANY);
    // Beside the drawer there is room for one side.
    await lab.get("drawer-close").click();
    await expect(lab.get("timeline-b")).toBeVisible();
    const shown = async (side: string): Promise<readonly string[]> => {
      const ids = await lab
        .get(`timeline-${side}`)
        .locator(".tl-tank")
        .evaluateAll((tanks) => tanks.map((tank) => tank.dataset["testid"] ?? ""));
      return ids.map((id) => id.split("-")[1] ?? "");
    };
    const seen = new Set<string>();
    for (let page = 0; page < 22; page += 1) {
      const names = await shown("a");
      expect(await shown("b")).toEqual(names);
      expect(names.length).toBe(3);
      names.forEach((name) => seen.add(name));
      const on = lab.get("tanks-on");
      if (page === 21) await expect(on).toBeDisabled();
      else if (page % 2 === 0) await on.click();
      else await on.press("Enter");
    }
    expect([...seen]).toEqual(groupNames(64));
    await lab.get("tanks-choose").focus();
    await lab.page.keyboard.type("g17");
    await expect(lab.get("tanks-shown")).toHaveText("tanks 18–20 of 64 groups");
    expect((await shown("a"))[0]).toBe("g17");
    await lab.get("tanks-back").press("Enter");
    await expect(lab.get("tanks-shown")).toHaveText("tanks 15–17 of 64 groups");

    await lab.dock("numbers");
    await expect(lab.get("quota-books-g00-a"), "the first group is open").toBeVisible();
    await expect(lab.get("quota-books-g63-a")).toHaveCount(0);
    await lab.get("quota-g63").locator("summary").press("Enter");
    await expect(lab.get("quota-books-g63-a")).toHaveAttribute("data-balanced", "true");
  },
);

test(
  "rows too low for a silo each share one, and the legend says how many",
  LONG,
  async ({ lab }) => {
    await openQuota(lab);
    await expect(lab.get("silos-a")).toHaveAttribute("data-cpus", "1");
    await expect(lab.get("timeline-legend")).toContainText("held by a CPU");
    await lab.write(SCENARIO.replace('"cpus": 8', '"cpus": 1024').replace("300ms", "30ms"));
    const each = Number(await lab.get("silos-a").getAttribute("data-cpus"));
    expect(each).toBeGreaterThan(1);
    await expect(lab.get("timeline-legend")).toContainText(`held by ${String(each)} CPUs together`);
  },
);

test("a throttled group says why, for how long each time and which requests met it, and what limit and burst would do", async ({
  lab,
}) => {
  await lab.open(`s/quota-web-p95/#${framed("k.duration=4s")}`);
  await lab.dock("numbers");
  await expect(lab.get("why-throttled-web-a")).toContainText(
    /^Throttled in \d+\.\d % of the periods that the kernel counted \(\d+ of \d+\), because /,
  );
  await expect(lab.get("throttles-met-web-a")).toContainText(/answer: \d+ of \d+ met a throttle/);
  const bars = await lab
    .get("throttle-lengths-web-a")
    .locator("tr[data-count] button > span")
    .evaluateAll((all) =>
      all.map((bar) => ({
        px: bar.getBoundingClientRect().width,
        count: Number(bar.closest("tr")?.dataset["count"]),
      })),
    );
  const most = bars.reduce((one, other) => (other.count > one.count ? other : one));
  for (const { px, count } of bars)
    expect(
      Math.abs(px - Math.max(2, (most.px * count) / most.count)),
      "a bar is as long as its count",
    ).toBeLessThan(0.5);
  const longest = lab.get("throttle-lengths-web-a").getByRole("button").last();
  await longest.click();
  await lab.whenIdle();
  const [fromNs, toNs] = await lab.view();
  const playhead = await lab.playhead();
  expect(fromNs < playhead && playhead < toNs, "the longest throttle is in view").toBe(true);
  await lab.get("limit-bound-web-a").fill("soon");
  await expect(lab.get("limit-ask-web-a")).toBeDisabled();
  await expect(lab.get("limit-unit-web-a"), "a text that is no number takes no unit").toHaveCount(
    0,
  );
  await lab.get("limit-bound-web-a").fill("10000");
  await expect(lab.get("limit-unit-web-a")).toHaveText("ms");
  await lab.get("limit-ask-web-a").click();
  await expect(lab.get("limit-found-web-a")).toHaveAttribute("data-running", "false");
  await expect(lab.get("limit-found-web-a")).toContainText(
    /A limit of .+ in every .+ is enough for .+ at or under 10 s; no smaller one was tried\./,
  );
  await expect(lab.get("limit-found-web-a")).toContainText(
    /The bound held in 20 of 20 runs, in which the quota’s period began at 20 different instants\. Of all runs, up to 14 %/,
  );
  await expect(lab.get("limit-units-web-a"), "in the reader's own units").toContainText(
    /CPUs?.*limits\.cpu: \d+m.*cpu\.max: \d+ 100000/,
  );
  await expect(lab.get("limit-copy-limits.cpu-web-a")).toBeVisible();
  await lab.dock("why");
  await lab.dock("numbers");
  await expect(
    lab.get("limit-bound-web-a"),
    "what was typed is there after a look elsewhere",
  ).toHaveValue("10000 ms");
  await lab.get("find-limit-web-a").click();
  await expect(lab.get("sweep")).toBeVisible();
  await expect(lab.get("sweep-search-from")).not.toHaveValue("");
  await expect(lab.get("sweep-find"), "every field is filled in").toBeEnabled();
});
