// The story's commands: what a reader is asked to try is one click away, changes exactly what it
// says, and can be taken back.

import type { Locator } from "@playwright/test";
import { DEPTH, expect, framed, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("a command in the story sets exactly its knobs, takes others back, and one undo brings them again", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.flip(PUSH_IPI, "a", "on");
  const before = await lab.headlines(DEPTH);
  await lab.dock("story");
  const link = lab.get("try").filter({ hasText: "--set machine.cpus=24" });
  await link.click();
  await lab.whenIdle();
  await expect(lab.get("setup")).toContainText("24 CPUs");
  await expect(lab.page).toHaveURL(/k\.machine\.cpus=24/);
  await expect(lab.page, "what was turned before is back as shipped").not.toHaveURL(/rt_push_ipi/);
  expect(await lab.headlines(DEPTH)).not.toEqual(before);
  await expect(lab.get("story-caption"), "the step is shown in the new runs").toHaveAttribute(
    "data-missing",
    "false",
  );
  await lab.press("Control+z");
  expect(await lab.headlines(DEPTH)).toEqual(before);
  await expect(lab.page).toHaveURL(/a\.kernel\.rt_push_ipi=on/);
});

test("a command's link opens the same in another window", LONG, async ({ lab, elsewhere }) => {
  await lab.open("s/ipi-storm/");
  await lab.dock("story");
  const link = lab.get("try").filter({ hasText: "--a kernel.rt_balance=ipi_4_1" });
  const address = (await link.getAttribute("href")) ?? "";
  expect(address).toMatch(/s\/ipi-storm\/#v=3\./);
  await link.click();
  await lab.whenIdle();
  const here = await lab.headlines(DEPTH);
  await elsewhere.open(address.replace(/^.*?(?=s\/)/, ""));
  expect(await elsewhere.headlines(DEPTH)).toEqual(here);
});

test("a sweep in the story opens its window filled in, and an explanation selects the worst wake-up", async ({
  lab,
}) => {
  await lab.open("s/quota-kernel-lock/");
  await lab.dock("story");
  await lab.get("try").filter({ hasText: "kernel.preempt=none,full,lazy" }).click();
  await expect(lab.get("sweep-knob")).toHaveValue("kernel.preempt");
  await expect(lab.get("sweep-values")).toHaveValue("none, full, lazy");
  await expect(lab.get("sweep-seeds")).toHaveValue("32");
  await expect(lab.get("sweep-run")).toBeEnabled();
  await lab.open("s/lazy-or-now/");
  await lab.dock("story");
  await lab.get("try").filter({ hasText: "schedscope explain" }).click();
  await lab.whenIdle();
  await expect(lab.page).toHaveURL(/k\.kernel\.preempt=lazy/);
  await expect(lab.get("waterfall-a")).toBeVisible();
});

test(
  "a maximum of tool samples in the results leads to that sample, selected, with where its time went to the nanosecond",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open("s/quota-boundary/");
    const figure = lab.get("headline-tool_samples.gc_main.cycle.max_ns-a");
    const ns = Number(await figure.getAttribute("data-value"));
    await figure.click();
    await expect(lab.get("sample-a-length")).toHaveAttribute("data-ns", String(ns));
    const named = (): string | undefined => /sel=gc_main\.0\.s\d+/.exec(lab.page.url())?.[0];
    await expect.poll(named).toBeDefined();
    const first = named();
    await lab.whenIdle();
    const [from, to] = await lab.view();
    const playhead = await lab.playhead();
    expect(from).toBeLessThanOrEqual(playhead);
    expect(to).toBeGreaterThanOrEqual(playhead + ns);
    expect(to - from).toBeLessThanOrEqual(ns * 1.11);
    const rows = lab.get("sample-a").locator("tbody tr");
    const parts = await rows.evaluateAll((each) =>
      each.map((row) => Number((row as HTMLElement).dataset["ns"])),
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(ns);
    await expect(lab.get("sample-a-sum")).toHaveAttribute("data-ns", String(ns));
    await expect(lab.get("said")).toContainText("gc_main.0 burst of work");
    await expect(
      lab
        .get("sample-list")
        .getByRole("button", { name: /gc_main/ })
        .first(),
    ).toHaveAttribute("data-ns", String(ns));
    const other = Number(
      await lab.get("headline-tool_samples.gc_main.cycle.max_ns-b").getAttribute("data-value"),
    );
    await expect(lab.get("sample-b-length"), "the cycle that began at the same time").toBeVisible();
    await lab.get("sample-longest-gc_main.cycle-b").click();
    await expect(lab.get("sample-b-length")).toHaveAttribute("data-ns", String(other));
    await expect.poll(named).not.toBe(first);
    await figure.click();
    await expect.poll(named).toBe(first);
    await elsewhere.open(lab.page.url().replace(/^.*?(?=s\/quota)/, ""));
    await expect(elsewhere.get("sample-a-length"), "a link names the sample").toHaveAttribute(
      "data-ns",
      String(ns),
    );
    await elsewhere.dock("numbers");
    await elsewhere.get("numbers-search").fill("gc_main.cycle.max");
    await expect(elsewhere.get("numbers-metrics")).toHaveAttribute("data-rows", "1");
    await elsewhere.get("numbers-metrics").press("Enter");
    await expect(elsewhere.get("dock-why")).toHaveAttribute("aria-selected", "true");
    await expect(elsewhere.get("sample-a-length")).toHaveAttribute("data-ns", String(ns));
  },
);

test(
  "a step's lanes stand out until one looks elsewhere, and a link names the step",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open("s/lazy-or-now/");
    await lab.press("PageDown");
    await lab.press("PageDown");
    await expect(lab.get("story-caption")).toHaveAttribute("data-step", "3");
    await expect(lab.get("lanes-b")).toHaveAttribute("data-emphasis", /\d/);
    const caption = await lab.get("story-caption").innerText();
    await expect(lab.page).toHaveURL(/step=3/);
    const address = lab.page.url();
    await lab.press("KeyD");
    await expect(lab.get("lanes-b"), "who looks elsewhere asks for all lanes").not.toHaveAttribute(
      "data-emphasis",
      /\d/,
    );
    await expect(lab.get("story-back"), "a part of the step is still in view").toHaveCount(0);
    for (let times = 0; times < 12; times += 1) await lab.press("KeyD");
    await lab.get("story-back").click();
    await expect(lab.get("lanes-b")).toHaveAttribute("data-emphasis", /\d/);
    await expect(lab.get("story-back")).toHaveCount(0);
    await elsewhere.open(address.replace(/^.*?(?=s\/)/, ""));
    await expect(elsewhere.get("story-caption")).toHaveAttribute("data-step", "3");
    await expect(elsewhere.get("story-caption")).toHaveText(caption);
    await expect(elsewhere.get("lanes-b")).toHaveAttribute("data-emphasis", /\d/);
  },
);

test("the sentence of a step keeps the figures of its own runs, and says so, once a knob is turned or another step flips one", async ({
  lab,
}) => {
  await lab.open("s/rt-pull-herd/");
  const first = await lab.get("story-step-1").innerText();
  const shipped = await lab.get("story-step-6").innerText();
  await lab.get("step-dot-6").click();
  await lab.whenIdle();
  await expect(lab.get("story-caption")).toHaveAttribute("data-written", "true");
  await expect(lab.get("story-step-6"), "figures of no other run stood in for its own").toHaveText(
    shipped,
  );
  await expect(lab.get("story-caption")).toHaveText(shipped);
  await expect(lab.get("story-step-1")).toHaveText(first);
  await lab.get("step-dot-1").click();
  await lab.get("swap").click();
  await lab.whenIdle();
  await expect(lab.get("story-caption")).toHaveText(`As shipped: ${first}`);
  await expect(lab.get("story-caption")).toHaveAttribute("data-written", "false");
});

test(
  "a link with a step that is none says so, and opens the rest",
  LONG,
  async ({ lab, elsewhere }) => {
    for (const [who, step] of [
      [lab, "99"],
      [elsewhere, "6"], // Steps may have such a number; this scenario has five.
    ] as const) {
      await who.open(`s/self-ipi-loop/#${framed(`k.machine.cpus=9&step=${step}`)}`);
      await expect(who.get("link-notes")).toContainText(`This page does not know “step=${step}”`);
      await expect(who.get("story-caption")).toHaveAttribute("data-step", "1");
      await expect(who.get("setup")).toContainText("9 CPUs");
    }
  },
);

test(
  "A stands beside B by button and key, the link keeps it, and one side alone ends it",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(QUICK);
    const left = async (side: "a" | "b"): Promise<number> =>
      (await lab.get(`timeline-${side}`).boundingBox())?.x ?? -1;
    expect(await left("a")).toBe(await left("b"));
    await lab.get("beside").click();
    await lab.whenIdle();
    expect(await left("b")).toBeGreaterThan((await left("a")) + 300);
    await expect(lab.page).toHaveURL(/lay=beside/);
    await elsewhere.open(lab.page.url().replace(/^.*?(?=s\/)/, ""));
    await expect(elsewhere.get("beside")).toHaveAttribute("aria-pressed", "true");
    await lab.press("Shift+Backslash");
    expect(await left("a")).toBe(await left("b"));
    await expect(lab.get("beside")).toHaveAttribute("aria-pressed", "false");
  },
);

test("on a phone a step's caption is read whole", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 390, height: 844 });
  await lab.open("s/quota-web-p95/");
  const caption = lab.get("story-caption");
  const cut = await caption.evaluate(
    (words) =>
      words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1,
  );
  expect(cut).toBe(false);
  const line = (await lab.get("story-line").boundingBox()) ?? { width: 0, x: 0 };
  expect(line.x + line.width).toBeLessThanOrEqual(390);
});

/**
 * Whether all of a caption's words are in sight: inside the line that has them, and nothing over
 * the ends of their lines.
 */
async function isWhole(caption: Locator): Promise<boolean> {
  return caption.evaluate((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    const around = words.closest("header, .guided-words, .talk-foot, .lesson, .talk");
    const line = around?.getBoundingClientRect() ?? new DOMRect();
    return [...range.getClientRects()].every(({ left, right, top, bottom }) => {
      const seen = [left + 1, right - 1].every((x) =>
        words.contains(document.elementFromPoint(x, (top + bottom) / 2)),
      );
      return (
        seen &&
        top >= line.top - 1 &&
        bottom <= line.bottom + 1 &&
        words.scrollWidth <= words.clientWidth + 1
      );
    });
  });
}

test("no switch lies over a caption's words, in a lesson and in a talk, on a phone and on what is little wider", async ({
  lab,
}) => {
  for (const address of [
    "learn/herd/#2",
    "learn/container-limit/#2",
    "present/quota-average-lies/",
  ]) {
    await lab.open(address);
    if (address.startsWith("present")) await lab.press("PageDown");
    for (const width of [360, 600, 740, 920]) {
      await lab.page.setViewportSize({ width, height: 740 });
      await lab.whenIdle();
      expect(await isWhole(lab.get("story-caption")), `${address} at ${String(width)} px`).toBe(
        true,
      );
    }
  }
});

test("a step's caption is read whole while answers, knobs and the scenario are open, beside the picture and over it", async ({
  lab,
}) => {
  await lab.page.setViewportSize({ width: 1440, height: 800 });
  await lab.open("s/rt-migrate/");
  await lab.dock("story");
  await lab.press("PageDown", "PageDown", "PageDown", "PageDown");
  await expect(lab.get("story-caption"), "the longest").toHaveAttribute("data-step", "5");
  const expectWhole = async (width: number, over: string): Promise<void> => {
    await lab.page.setViewportSize({ width, height: 800 });
    await lab.whenIdle();
    expect(await isWhole(lab.get("story-caption")), `${over} at ${String(width)} px`).toBe(true);
  };
  for (const width of [1440, 1280, 1204, 1024, 800, 620]) await expectWhole(width, "answers");
  await lab.choose("projector");
  for (const width of [1440, 1024]) await expectWhole(width, "answers in a projector's theme");
  await lab.get("rail-open").click();
  await expectWhole(1440, "answers and knobs in a projector's theme");
  await lab.choose("light");
  await lab.get("drawer-open").click();
  await expect(lab.get("drawer")).toBeVisible();
  for (const width of [1440, 1280, 1024])
    await expectWhole(width, "answers, knobs and the scenario");
});

test(
  "the story tells the figures of a step in other knobs where they ship, else that opening it makes them",
  LONG,
  async ({ lab }) => {
    await lab.open("s/rt-pull-herd/");
    await lab.dock("story");
    await expect(lab.get("story-step-6")).toContainText(/\d/);
    await expect(lab.get("story-step-6")).not.toContainText("…");
    await lab.open("s/priority-inheritance/");
    await lab.dock("story");
    await expect(lab.get("story-step-5-unknown")).toHaveText("Open this step to see its figures.");
    await lab.get("story-step-5").click();
    await lab.whenIdle();
    await expect(lab.get("story-step-5-unknown")).toHaveCount(0);
    await expect(lab.get("story-step-5")).not.toContainText("…");
  },
);

test("a scenario shows the commands that do the same on a real machine, with a warning where they need root", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.dock("story");
  const real = lab.get("real-machine");
  await expect(real).toContainText("sudo cyclictest -t -a -p95 -i100 -d0 -m");
  await expect(lab.get("real-b")).toContainText(
    "echo RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched_features",
  );
  await expect(lab.get("real-warning-root")).toContainText("need root");
  await lab.open("s/quota-web-p95/");
  await lab.dock("story");
  await expect(lab.get("real-kernel"), "A and B are two kernels").toContainText(
    /A: boot 4\.15 .*B: boot 4\.19 /,
  );
});

test("terms in a caption lead to the glossary", async ({ lab }) => {
  await lab.open("s/quota-tree/");
  const term = lab.get("story-caption").getByTestId("term").first();
  await expect(term).toHaveAttribute("href", /glossary\/#/);
});

test("terms lead to the glossary in the Why tab, behind a knob's name and in the sweep's window", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  await expect(lab.get("culprits-a").getByTestId("term").first()).toHaveAttribute(
    "href",
    /glossary\/#/,
  );
  await lab.get("knob-kernel.preempt-name").click();
  const meaning = lab.get("knob-kernel.preempt-doc");
  await expect(meaning.getByTestId("term").first()).toHaveAttribute("href", /glossary\/#/);
  await lab.press("Escape");
  await expect(meaning).toHaveCount(0);
  await lab.get("sweep-open").click();
  await lab.get("sweep-knob").selectOption("kernel.rt_push_ipi");
  await expect(lab.get("sweep-knob-doc").getByTestId("term").first()).toHaveAttribute(
    "href",
    /glossary\/#/,
  );
});

test("a scenario of tasks has them as a file for rt-app, with the line that starts it", async ({
  lab,
}) => {
  await lab.open("s/cyclictest-anatomy/");
  await lab.dock("story");
  await expect(lab.get("real-machine")).toContainText("sudo rt-app tasks.json");
  await expect(lab.get("real-none").first(), "what no tool does").toContainText(
    "hwlatdetect finds those",
  );
  const file = lab.get("real-file-0");
  await file.getByText("tasks.json").click();
  await expect(file).toContainText("“driver” is left out: rt-app has no irqoff.");
  expect(JSON.parse((await file.locator("pre").textContent()) ?? "")).toMatchObject({
    tasks: { stronger: { policy: "SCHED_FIFO" } },
  });
});

test("a made-up program has a stand-in for rt-app inside the group, and the switch that a program of one's own takes", async ({
  lab,
}) => {
  await lab.open("s/envoy-workers/");
  await lab.dock("story");
  const [a, b] = [lab.get("real-a"), lab.get("real-b")];
  await expect(a).toContainText(
    "echo $$ > /sys/fs/cgroup/proxy/cgroup.procs && exec rt-app stand-in-a.json",
  );
  await expect(a).toContainText("envoy --concurrency 3 -c CONFIG.yaml");
  await expect(b).toContainText("envoy --concurrency 2 -c CONFIG.yaml");
  const file = lab.get("real-file-b-0");
  await file.getByText("stand-in-b.json").click();
  await expect(file).toContainText("Work comes evenly here");
  expect(JSON.parse((await file.locator("pre").textContent()) ?? "")).toMatchObject({
    tasks: { pool_worker: { instance: 2, run: 550 } },
  });
});

test("the way back to a step has two lines at most, however short its line", async ({ lab }) => {
  await lab.open("s/lazy-or-now/");
  await lab.press("PageDown");
  for (let times = 0; times < 14; times += 1) await lab.press("KeyD");
  for (const width of [1440, 1024, 390]) {
    await lab.page.setViewportSize({ width, height: 800 });
    await lab.whenIdle();
    const lines = await lab.get("story-back").evaluate((button) => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return new Set([...words.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines, `at ${String(width)} px`).toBeLessThanOrEqual(2);
  }
});
