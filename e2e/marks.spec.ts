// Marks on the lanes: pointing at one where it is drawn says what it is, and the arrow keys of the
// spoken rows come to it and say it too.

import { expect, framed, HERD, test, type Lab, type Side } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

/** Colours of marks in the dark theme. */
const INK = {
  ipi: "#C3CCD8",
  pull: "#FF8AC4",
  flag: "#FFB000",
  kick: "#E0A8FF",
  quota: "#5FB3E8",
  throttled: "#B4DFC5",
  spin: "#E03706",
};
/** Pixels of a colour that are asked at most. */
const ASKED_MAX = 40;
/** Steps along a CPU until a mark must have come by. */
const STEPS_MAX = 60;

/** Every word said at pixels of a colour, spread over the lanes. */
async function toldAt(lab: Lab, side: Side, colour: string, wanted: RegExp): Promise<string> {
  const pixels = await lab.pixelsOf(side, colour);
  expect(pixels.length, `nothing is drawn in ${colour}`).toBeGreaterThan(3);
  const every = Math.ceil(pixels.length / ASKED_MAX);
  const told: string[] = [];
  for (const pixel of pixels.filter((_, index) => index % every === 0)) {
    told.push(await lab.hoverLanes(side, pixel));
    if (wanted.test(told.at(-1) ?? "")) return told.at(-1) ?? "";
  }
  throw new Error(`none says ${String(wanted)}:\n${told.slice(0, 5).join("\n---\n")}`);
}

/** Steps along a CPU's row until it says what is wanted. */
async function spokenOn(
  lab: Lab,
  side: Side,
  cpu: number,
  wanted: RegExp,
  key: "ArrowRight" | "ArrowLeft" = "ArrowRight",
): Promise<void> {
  const row = lab.cpuRow(side, cpu);
  await row.focus();
  let words = "";
  for (let step = 0; step < STEPS_MAX; step += 1) {
    words = (await row.getAttribute("aria-label")) ?? "";
    if (wanted.test(words)) return;
    await row.press(key);
    await lab.whenIdle();
  }
  throw new Error(
    `CPU ${String(cpu)} does not say ${String(wanted)} in ${String(STEPS_MAX)} steps, last: ${words}`,
  );
}

async function openDark(lab: Lab, address: string): Promise<void> {
  await lab.open(address);
  await lab.choose("dark");
}

test("a lock wait says who waits for which lock and who holds it; an IPI says its kind, its way and its flight", async ({
  lab,
}) => {
  await openDark(lab, HERD);
  // Few of the dots asked lie on the instant at which a wait begins.
  const wait = /starts to wait for the rq \d+ lock\s+held by CPU \d+|for rq \d+ lock, \d+ of \d+/;
  await toldAt(lab, "a", INK.spin, wait);
  await spokenOn(lab, "a", 5, /CPU 5 starts to wait for the rq \d+ lock/);
  await spokenOn(lab, "b", 24, /IPI \w+: CPU \d+ to CPU \d+.*in flight/);
});

test("a moved task says who moved it from where to where", LONG, async ({ lab }) => {
  await openDark(lab, "s/rt-migrate/");
  await lab.press("0");
  await toldAt(
    lab,
    "a",
    INK.pull,
    /pulled: \S+ from CPU \d+ to CPU \d+\s+moved by CPU \d+, in (pull_rt_task|load balancing)/,
  );
});

test("flags and preemption points are told and spoken", async ({ lab }) => {
  await openDark(lab, "s/lazy-or-now/");
  // Away from the step's own view every lane has its full ink.
  await lab.press("0");
  await toldAt(lab, "b", INK.flag, /need_resched on /);
  await toldAt(lab, "b", INK.ipi, /IPI \w+: CPU \d+ to CPU \d+[^]*sent at [^]*in flight/);
  await spokenOn(
    lab,
    "b",
    11,
    /(cond_resched|return to user|interrupt exit): (schedule\(\) follows|passed)/,
  );
});

test("kicks, stopped and restarted ticks are told and spoken", LONG, async ({ lab }) => {
  await openDark(lab, "s/nohz-kick/");
  await toldAt(lab, "a", INK.kick, /kick: the tick of CPU \d+ asks CPU \d+ to balance/);
  await spokenOn(lab, "a", 2, /CPU 2 is idle and stops its tick/);
  await spokenOn(lab, "a", 2, /CPU 2 starts its tick again/);
  await spokenOn(lab, "a", 2, /interrupt \w+ on CPU 2, .*the handler runs for/);
});

test("drops, refills and throttled stretches are told and spoken", LONG, async ({ lab }) => {
  await openDark(lab, "s/quota-stranded/");
  await toldAt(
    lab,
    "a",
    INK.quota,
    /takes .* from the pool of|returns .* to the pool of|refill: .* for the pool of/,
  );
  await toldAt(lab, "a", INK.throttled, /throttled: .* is out of quota here/);
  await lab.press("0");
  await toldAt(lab, "a", INK.quota, /refill: .* for the pool of|takes .* from the pool of/);
});

test("chips of the lock queue keep their places while the queue changes", LONG, async ({ lab }) => {
  await lab.open(HERD);
  const row = lab.cpuRow("a", 24);
  await row.focus();
  const places = new Map<number, Set<number>>();
  const queues = new Set<string>();
  for (let step = 0; step < 12; step += 1) {
    const chips = lab.get("timeline-a").locator(".tl-queue .tl-cpu");
    const lefts = await chips.evaluateAll((all) =>
      all.slice(0, 6).map((chip) => chip.getBoundingClientRect().left),
    );
    lefts.forEach((left, index) => places.set(index, (places.get(index) ?? new Set()).add(left)));
    queues.add((await chips.allInnerTexts()).join(" "));
    await row.press("ArrowLeft");
    await lab.whenIdle();
  }
  expect(queues.size, "the queue changes").toBeGreaterThan(2);
  for (const [index, lefts] of places) expect([...lefts], `chip ${String(index)}`).toHaveLength(1);
});

test("words of the lock queue are never seen without what stands behind them", async ({ lab }) => {
  await lab.open(HERD);
  const queue = lab.get("timeline-a").locator(".tl-queue");
  let cut = 0;
  for (const width of [1440, 1024, 390, 360, 320]) {
    await lab.page.setViewportSize({ width, height: 844 });
    await lab.whenIdle();
    const parts = await queue.evaluate((line) => {
      const edge = line.getBoundingClientRect();
      const seen = (part: Element | null): boolean => {
        const box = part?.getBoundingClientRect();
        return box !== undefined && box.top < edge.bottom && box.left < edge.right;
      };
      const whole = (part: Element | null): boolean =>
        seen(part) && (part?.getBoundingClientRect().right ?? Infinity) <= edge.right + 0.5;
      return [...line.querySelectorAll(".tl-part")].map(
        (part) => [seen(part), whole(part) && part.childElementCount > 1] as const,
      );
    });
    expect(parts).toHaveLength(2);
    for (const [seen, whole] of parts) expect(whole, `at ${String(width)} px`).toBe(seen);
    cut += parts.filter(([seen]) => !seen).length;
  }
  expect(cut, "some have no room").toBeGreaterThan(0);
  await lab.page.setViewportSize({ width: 1440, height: 900 });
  await expect(queue).toContainText(/held by CPU.*waiting\s*\d/s, { useInnerText: true });
  await lab.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&t=0ms-1us")}`);
  await expect(lab.get("lock-words-a")).toContainText("depth 0");
  await expect(queue, "of nobody's queue nothing is said").not.toContainText("waiting", {
    useInnerText: true,
  });
});

test("of the lock queue's chips that have no room the number is shown, and the pointer asks for them", async ({
  lab,
}) => {
  await lab.open(HERD);
  const queue = lab.get("timeline-a").locator(".tl-queue");
  const rest = queue.locator(".tl-queue-rest");
  for (const theme of ["dark", "projector"] as const) {
    await lab.choose(theme);
    await lab.page.setViewportSize({ width: 1024, height: 768 });
    await lab.whenIdle();
    const depth = Number(await lab.get("lock-words-a").locator("b").first().innerText());
    const chips = await queue.locator(".tl-cpu:not(.tl-cpu-holder)").count();
    await expect(rest).toHaveText(`+ ${String(depth - chips)}`);
    await expect(rest).toHaveAttribute(
      "title",
      new RegExp(`^${String(depth - chips)} more CPUs in the queue.*in order: [\\d, ]+$`),
    );
    const [inside, seen] = await queue.evaluate((line) => [
      [line.scrollWidth, line.scrollHeight],
      [line.clientWidth, line.clientHeight],
    ]);
    expect(inside, "nothing is cut").toEqual(seen);
  }
});

test("what is told of a mark is whole and in sight, however low the lanes are, and hides neither the mark nor the run", async ({
  lab,
}) => {
  const { page } = lab;
  await page.setViewportSize({ width: 1280, height: 720 });
  await lab.open("s/quota-tree/");
  await lab.choose("projector");
  const seen = async (tip: string): Promise<{ readonly whole: boolean; readonly box: DOMRect }> =>
    lab.get(tip).evaluate((element) => {
      const box = element.getBoundingClientRect();
      const heard = getComputedStyle(element).pointerEvents;
      element.style.pointerEvents = "auto";
      const corners = [box.top + 3, box.bottom - 3].flatMap((y) =>
        [box.left + 3, box.right - 3].map((x) => document.elementFromPoint(x, y)),
      );
      element.style.pointerEvents = heard;
      return {
        whole: corners.every((corner) => corner !== null && element.contains(corner)),
        box: box.toJSON() as DOMRect,
      };
    });
  const lanes = await lab.get("lanes-a").boundingBox();
  if (lanes === null) throw new Error("no lanes");
  for (const [across, down] of [0.2, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [x, y] as const),
  )) {
    const [x, y] = [lanes.width * across, lanes.height * down];
    await lab.hoverLanes("a", { x, y });
    const { whole, box } = await seen("lane-tip");
    expect(whole, `at ${across}, ${down}`).toBe(true);
    const apart = across > 0.5 ? lanes.x + x - box.right : box.left - lanes.x - x;
    expect(apart, `beside the pointer at ${across}, ${down}`).toBeCloseTo(14, -1);
  }
  await lab.get("scrubber-tick").first().hover({ force: true });
  await expect(lab.get("scrubber-tip")).toBeVisible();
  const { whole, box } = await seen("scrubber-tip");
  expect(whole, "over the run").toBe(true);
  expect(box.bottom).toBeLessThan((await lab.get("scrubber").boundingBox())?.y ?? 0);
});
