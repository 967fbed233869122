// Time travel: a task is changed from the playhead on, and the run goes to the next instant that a
// program waits for.

import { expect, framed, HERD, PUSH_IPI, QUICK, SPIN, test } from "./support/lab.ts";

test("a task's CPUs are written at the playhead: the past stays, link and undo know it, a wrong value is said to be wrong", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(QUICK);
  const before = [await lab.digest("a"), await lab.digest("b")];
  await lab.scrub(0.5);
  await lab.get("dock-why").click();
  await lab.get("change-here").locator("summary").click();
  await lab.get("change-task").fill("rt_noise.0");
  await lab.get("change-value").fill("0-3,99");
  await lab.get("change-write").click();
  await expect(lab.get("change-trouble")).toContainText("from 0 to 15");
  await lab.get("change-value").fill("0-3");
  await lab.get("change-where").selectOption("a");
  await lab.get("change-write").click();
  await lab.whenIdle();
  const changed = await lab.digest("a");
  expect(changed).not.toBe(before[0]);
  expect(await lab.digest("b")).toBe(before[1]);
  await expect(lab.get("change-list")).toContainText("rt_noise.0: CPUs 0-3 at");
  await elsewhere.open(await lab.copyLink());
  expect([await elsewhere.digest("a"), await elsewhere.digest("b")]).toEqual([changed, before[1]]);
  await lab.get("undo").click();
  await lab.whenIdle();
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual(before);
  await expect(lab.get("change-list")).toHaveCount(0);
});

test("the way back of what was written stands beside its words at every width", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.scrub(0.5);
  await lab.fromHere(PUSH_IPI);
  await lab.flip(PUSH_IPI, "a", "on");
  await lab.get("dock-why").click();
  await lab.get("change-here").locator("summary").click();
  await lab.get("change-task").fill("rt_noise.0");
  await lab.get("change-value").fill("0-3,5,7,9,11,13");
  await lab.get("change-where").selectOption("a");
  await lab.get("change-write").click();
  await lab.whenIdle();
  for (const width of [1440, 390, 300]) {
    await lab.page.setViewportSize({ width, height: 800 });
    for (const [id, way] of [
      ["change-list", "dock-why"],
      [`knob-${PUSH_IPI}-live`, "rail-open"],
    ] as const) {
      if (!(await lab.get(id).isVisible())) await lab.get(way).click();
      const line = lab.get(id).locator("li");
      await expect(line).toBeVisible();
      const [words, button] = await line.evaluate((li) => {
        const range = document.createRange();
        range.selectNodeContents(li);
        const back = li.querySelector("button");
        if (back !== null) range.setEndBefore(back);
        return [range, back ?? li].map((each) => each.getBoundingClientRect().toJSON() as DOMRect);
      });
      const name = `${id} at ${String(width)}`;
      expect(words?.width, name).toBeGreaterThan(50);
      expect(button?.top, `${name}: not below the words`).toBeLessThan(words?.bottom ?? 0);
      expect(button?.left, `${name}: behind them`).toBeGreaterThanOrEqual(
        (words?.right ?? Infinity) - 1,
      );
      expect(button?.right, `${name}: in sight`).toBeLessThanOrEqual(width);
      await lab.page.keyboard.press("Escape");
    }
  }
});

test("what was written makes a branch beside the history it was written to: either is put on any side, undone, and removed", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const before = [await lab.digest("a"), await lab.digest("b")];
  await lab.scrub(0.5);
  await lab.get("dock-why").click();
  await expect(lab.get("branches")).toHaveCount(0);
  await lab.get("change-here").locator("summary").click();
  await lab.get("change-task").fill("rt_noise.0");
  await lab.get("change-value").fill("0-3");
  await lab.get("change-where").selectOption("a");
  await lab.get("change-write").click();
  await lab.whenIdle();
  const changed = await lab.digest("a");
  await expect(lab.get("branch-1"), "of which variant").toContainText(
    "Branch 1: 16 CPUs, pull; nothing written",
  );
  await expect(lab.get("branch-2")).toContainText("rt_noise.0: CPUs 0-3 at");
  await expect(lab.get("branch-2-a")).toHaveAttribute("aria-pressed", "true");
  await lab.get("dock-numbers").click();
  await lab.page.keyboard.press("Control+k");
  await lab.get("palette-field").fill("branches");
  await lab.page.keyboard.press("Enter");
  await expect(lab.get("branch-1-a"), "the search shows the list").toBeFocused();
  await lab.get("branch-2-b").press("Enter");
  await lab.whenIdle();
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual([changed, changed]);
  await lab.get("branch-1-a").click();
  await lab.whenIdle();
  expect(
    [await lab.digest("a"), await lab.digest("b")],
    "the history and its branch, side by side",
  ).toEqual([before[0], changed]);
  for (let step = 0; step < 3; step += 1) await lab.get("undo").click();
  await lab.whenIdle();
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual(before);
  await lab.get("branch-2-remove").click();
  await expect(lab.get("branch-2")).toHaveCount(0);
});

test("the search finds the branches of a page whose answers were never opened", async ({ lab }) => {
  await lab.page.setViewportSize({ width: 1100, height: 800 });
  await lab.open(QUICK);
  await expect(lab.get("dock")).toHaveCount(0);
  const before = await lab.headline("a", SPIN);
  await lab.scrub(0.5);
  await lab.fromHere(PUSH_IPI);
  await lab.flip(PUSH_IPI, "a", "on");
  const changed = await lab.headline("a", SPIN);
  expect(changed).not.toBe(before);
  await lab.page.keyboard.press("Control+k");
  await lab.get("palette-field").fill("branch 1 on A");
  await lab.page.keyboard.press("Enter");
  await lab.whenIdle();
  await expect
    .poll(async () => lab.headline("a", SPIN), "the history that was written to")
    .toBe(before);
});

test("the lane shows the lock whose queue the run has gone to, not the one that was asked for before", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.selectWorst();
  await lab.get("find-open").click();
  await lab.get("find-waiters").click();
  const said = lab.get("find-said");
  await expect(said).toContainText(/makes it 9 waiters for the rq \d+ lock/);
  const [, lock = ""] = /rq (\d+) lock/.exec(await said.innerText()) ?? [];
  await expect(lab.get("lock-words-a")).toContainText(new RegExp(`^rq ${lock} lock *depth 9`));
});

test("the run goes to the next late wake-up and the next deep queue, and says when there is none", async ({
  lab,
}) => {
  await lab.open(HERD);
  await lab.get("find-open").click();
  await lab.get("find-waiters-value").fill("20");
  await lab.get("find-waiters").click();
  await expect(lab.get("find-said")).toContainText(
    /^A, .*: CPU \d+ makes it 21 waiters for the rq \d+ lock\.$/,
  );
  const first = await lab.playhead();
  await lab.get("find-waiters").click();
  await expect.poll(async () => lab.playhead()).toBeGreaterThan(first);
  await lab.get("find-wake-value").fill("1e30");
  await expect(lab.get("find-wake"), "no such number of µs").toBeDisabled();
  await lab.get("find-wake-value").fill("1000000");
  await lab.get("find-wake").click();
  await expect(lab.get("find-said")).toContainText(
    /^No wake-up later than 1 s from .* to 100 ms\.$/,
  );
  await lab.get("find-worst").click();
  await expect(lab.get("find-said")).toContainText(
    /is .* late, the worst of cyclictest in its run\.$/,
  );
  const name = await lab.get("waterfall-a-name").innerText();
  await lab.page.keyboard.press("Escape");
  await lab.press("Escape", "l");
  expect(await lab.get("waterfall-a-name").innerText(), "L means the same one").toBe(name);
});

test("a link with a write that the kernel refuses shows the run up to it, the kernel's own values, and why", async ({
  lab,
}) => {
  await lab.open(
    "s/rt-fifo-preempt/#v=3.94&at.k.1306876ns.tasks.~22worker.0~22.wake=signal&p=1306.876us&sel=worker.0.w0&c=deeb1abb",
  );
  const told = lab.get("scenario-error-ab-text");
  await expect(told).toContainText("is refused at 1.306876 ms: the task does not sleep by a timer");
  await expect(lab.get("lanes-a")).toBeVisible();
  expect(await lab.page.getByTestId("knob-kernel.rt_balance").inputValue()).not.toBe(
    "ipi_2026_noself",
  );
});

test("a signal to a task that does not sleep is refused in its form, and the run stays", async ({
  lab,
}) => {
  await lab.open("s/long-system-call/");
  const before = [await lab.digest("a"), await lab.digest("b")];
  await lab.scrub(0.5);
  await lab.get("dock-why").click();
  await lab.get("change-here").locator("summary").click();
  await lab.get("change-task").fill("hog_1.0");
  await lab.get("change-what").selectOption("wake");
  await lab.get("change-write").click();
  await expect(lab.get("change-trouble")).toContainText(
    /^a signal ends a sleep until a time: at .* hog_1\.0 (runs|waits for a CPU)/,
  );
  await expect(lab.get("change-list")).toHaveCount(0);
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual(before);
});

test("a side whose run is refused has no number to compare with", async ({ lab }) => {
  await lab.open(`s/rt-fifo-preempt/#${framed("at.a.1306876ns.tasks.~22worker.0~22.wake=signal")}`);
  const ratios = lab.page.locator(".score-ratio");
  await expect(ratios.first()).toBeAttached();
  expect((await ratios.allTextContents()).join("")).toBe("");
});
