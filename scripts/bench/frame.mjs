// What a person feels, measured on the built page where a wall clock alone would measure the
// machine's other work: each time comes with the CPU time of the page's main thread. Needs a
// Chromium that reports both.

/* global document, Event, requestAnimationFrame, MutationObserver, history, PopStateEvent */

import { leaveInLab } from "./form.mjs";
import { privateBytes } from "./memory.mjs";
import { fragment, row } from "./page.mjs";
import { traced } from "./trace.mjs";

const VIEWPORT = { width: 1440, height: 900 };

/** Opens an address in the lab, where a step that opens is a still, and waits until it is at rest. */
async function opened(browser, address) {
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: "reduce" });
  await leaveInLab(page);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.schedscope !== undefined);
  await idle(page);
  return page;
}

function idle(page) {
  return page.evaluate(() => globalThis.schedscope.whenIdle());
}

/**
 * CPU time so far, ms: of the page's main thread, and of its whole process, which has the workers.
 */
async function cpuOf(browser, page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const system = await browser.newBrowserCDPSession();
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    const main = 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    return {
      main,
      all:
        1000 *
        Math.max(
          ...processInfo.filter(({ type }) => type === "renderer").map(({ cpuTime }) => cpuTime),
        ),
    };
  };
}

const PUSH_A = '[data-testid="knob-kernel.rt_push_ipi-a"]';
const FLIPS = 12;
/** How long the pointer is on a knob before it is turned, ms. */
const HOVER_MS = 300;
/** How long the page is left alone before a knob is turned, ms. */
const REST_MS = 4_000;

/**
 * From a change of the primary knob on one side to the frame that has the last of its new numbers:
 * a value that was never seen before, chosen without the pointer as soon as the page is at rest;
 * one that was, flipped back to; one that was not, while the pointer rests on the knob, as a hand
 * does it; and one that was not, after the page was left alone for a while. Every round has a
 * seed of its own, so that no run is known from an earlier one. Not traced: that takes CPU time,
 * too.
 */
export async function measureFlip(browser, address) {
  const machine = ["k.machine.cpus=64", "k.duration=50ms"];
  const page = await opened(browser, `${address}s/rt-pull-herd/#${fragment(machine)}`);
  const cpu = await cpuOf(browser, page);
  const [unseen, back, hand, rested] = [flips(), flips(), flips(), flips()];
  for (let round = 0; round < FLIPS; round += 1) {
    const began = round % 2 === 0 ? "off" : "on";
    await change(
      page,
      fragment([
        ...machine,
        `k.seed=${100 + round}`,
        `a.kernel.rt_push_ipi=${began}`,
        "b.kernel.rt_push_ipi=off",
      ]),
    );
    await page.mouse.move(0, 0);
    await timed(cpu, unseen, () =>
      page.evaluate(flipped, [PUSH_A, round % 2 === 0 ? "auto_gt16" : "rt_only"]),
    );
    await timed(cpu, back, () => page.evaluate(flipped, [PUSH_A, began]));
  }
  for (let round = 0; round < FLIPS; round += 1) {
    const [began, next] = round % 2 === 0 ? ["off", "on"] : ["on", "off"];
    await page.mouse.move(0, 0);
    await change(
      page,
      fragment([
        ...machine,
        `k.seed=${200 + round}`,
        `a.kernel.rt_push_ipi=${began}`,
        `b.kernel.rt_push_ipi=${began}`,
      ]),
    );
    const before = await cpu();
    await page.hover(PUSH_A);
    await page.waitForTimeout(HOVER_MS);
    const time = await page.evaluate(flipped, [PUSH_A, next]);
    add(hand, time, before, await cpu());
  }
  for (let round = 0; round < FLIPS; round += 1) {
    const [began, next] = round % 2 === 0 ? ["off", "on"] : ["on", "rt_only"];
    await page.mouse.move(0, 0);
    await change(
      page,
      fragment([
        ...machine,
        `k.seed=${300 + round}`,
        `a.kernel.rt_push_ipi=${began}`,
        `b.kernel.rt_push_ipi=${began}`,
      ]),
    );
    await page.waitForTimeout(REST_MS);
    await timed(cpu, rested, () => page.evaluate(flipped, [PUSH_A, next]));
  }
  await page.close();
  return [
    ...rowsOf(
      "switch flipped to new numbers, 64 CPUs × 50 ms, never seen before, at once (ms)",
      unseen,
    ),
    ...rowsOf("switch flipped back, 64 CPUs × 50 ms (ms)", back),
    ...rowsOf(
      `never seen before, the pointer on the knob for ${HOVER_MS} ms (ms); CPU from the pointer’s coming on`,
      hand,
    ),
    ...rowsOf(`never seen before, the page untouched for ${REST_MS} ms (ms)`, rested),
  ];
}

function flips() {
  return { times: [], main: [], others: [] };
}

async function timed(cpu, into, flip) {
  const before = await cpu();
  const time = await flip();
  add(into, time, before, await cpu());
}

function add({ times, main, others }, time, before, after) {
  times.push(time);
  main.push(after.main - before.main);
  others.push(after.all - before.all - (after.main - before.main));
}

function rowsOf(what, { times, main, others }) {
  return [
    row(what, times),
    row("… CPU of the main thread, until the page is at rest (ms)", main),
    row("… CPU of the process’s other threads: the engine’s worker, painting (ms)", others),
  ];
}

/** Runs in the page. */
async function flipped([selector, value]) {
  const knob = document.querySelector(selector);
  let last = Number.NaN;
  const began = performance.now();
  const observer = new MutationObserver(() =>
    requestAnimationFrame(() => {
      last = performance.now();
    }),
  );
  const headline = document.querySelector('[data-testid="headline"]');
  if (headline === null) throw new Error("the page shows no headline");
  observer.observe(headline, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["data-value"],
  });
  knob.value = value;
  knob.dispatchEvent(new Event("change", { bubbles: true }));
  await globalThis.schedscope.whenIdle();
  observer.disconnect();
  if (Number.isNaN(last)) throw new Error("the numbers did not change");
  return last - began;
}

/** With the shipped length, a wake-up can be as long as the run, and the record limit ends it. */
const LENGTHS = ["20ms", "100ms"];

/**
 * The main thread's longest tasks while 1024 CPUs are computed on both sides, and while they are
 * played.
 */
export async function measureTasks(browser, address) {
  const rows = [];
  for (const length of LENGTHS) {
    const page = await opened(
      browser,
      `${address}s/rt-pull-herd/#${fragment(["k.machine.cpus=1024", "k.duration=1ms"])}`,
    );
    const computing = await traced(browser, page, async () => {
      await change(page, fragment(["k.machine.cpus=1024", `k.duration=${length}`]));
    });
    const playing = await traced(browser, page, async () => {
      await page.getByTestId("play").click();
      await page.waitForTimeout(5_000);
      await page.keyboard.press("Space");
      await idle(page);
    });
    await page.close();
    rows.push(
      ...tasksOf(`${length}, computing`, computing),
      ...tasksOf(`${length}, playing`, playing),
    );
  }
  return rows;
}

function tasksOf(what, { tasks }) {
  const long = tasks.filter(({ cpu }) => cpu > 50).length;
  return [
    row(
      `1024 CPUs × ${what}: main-thread tasks of 1 ms and more, CPU (ms)`,
      tasks.map(({ cpu }) => cpu).filter((ms) => ms >= 1),
    ),
    row(
      `1024 CPUs × ${what}: the same, by the wall clock (ms)`,
      tasks.map(({ wall }) => wall).filter((ms) => ms >= 1),
    ),
    row(`1024 CPUs × ${what}: tasks with more than 50 ms of CPU`, [long]),
  ];
}

const press =
  (key, times = 3) =>
  async (page) => {
    for (let time = 0; time < times; time += 1) {
      await page.keyboard.press(key);
      await page.waitForTimeout(250);
    }
  };

const click = (testId) => async (page) => {
  await page.getByTestId(testId).click();
  await page.waitForTimeout(600);
};

/** The middle of the lanes of side A. */
async function middleOf(page) {
  const box = await page.getByTestId("lanes-a").boundingBox();
  return [box.x + box.width / 2, box.y + Math.min(box.height, 300) / 2];
}

async function turnWheel(page) {
  const [x, y] = await middleOf(page);
  await page.mouse.move(x, y);
  for (const control of [true, false]) {
    if (control) await page.keyboard.down("Control");
    for (const by of [-60, -60, 60, 60]) {
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(80);
    }
    await page.keyboard.up("Control");
  }
}

async function dragArea(page) {
  const [x, y] = await middleOf(page);
  await page.mouse.move(x - 100, y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step += 1)
    await page.mouse.move(x - 100 + 25 * step, y + 10 * step);
  await page.mouse.up();
  await page.waitForTimeout(600);
  await page.keyboard.press("Escape");
}

async function search(page) {
  await page.keyboard.press("Control+k");
  await page.waitForTimeout(500);
  await page.keyboard.type("cpu 17", { delay: 120 });
  await page.keyboard.press("Enter");
  await page.waitForTimeout(500);
}

async function resize(page) {
  for (const width of [1200, VIEWPORT.width]) {
    await page.setViewportSize({ ...VIEWPORT, width });
    await page.waitForTimeout(400);
  }
}

/** What a viewer does, in this order. */
/** @type {[what: string, act: (page: any) => Promise<unknown>][]} */
const ACTS = [
  ["W, S: zoom", async (page) => [await press("w")(page), await press("s")(page)]],
  ["L: next worst wake-up, ten times", press("l", 10)],
  ["wheel: zoom, scroll", turnWheel],
  ["0: whole run", press("0", 1)],
  [
    "J, K, comma, point: event by event",
    async (page) => [
      await press("k")(page),
      await press("j")(page),
      await press(".")(page),
      await press(",")(page),
    ],
  ],
  ["drag: area", dragArea],
  ["answers: latency", click("dock-latency")],
  [
    "answers: numbers, story, sources, why",
    async (page) => [
      await click("dock-numbers")(page),
      await click("dock-story")(page),
      await click("dock-sources")(page),
      await click("dock-why")(page),
    ],
  ],
  ["Ctrl K, typing, Enter", search],
  ["P: theme", press("p", 2)],
  ["window resized", resize],
  [
    "one side, both, beside, over",
    async (page) => [await press("\\", 2)(page), await press("Shift+\\", 2)(page)],
  ],
  ["X: sides swapped", press("x", 2)],
];

/**
 * The main thread's longest task while 256 and 1024 CPUs are on the page and the viewer asks: the
 * greatest and the median of rounds.
 */
export async function measureAnswers(browser, address) {
  const rows = [];
  for (const cpus of [256, 1024]) {
    const page = await opened(
      browser,
      `${address}s/rt-pull-herd/#${fragment([`k.machine.cpus=${cpus}`, "k.duration=20ms"])}`,
    );
    const measured = ACTS.map(([what, act]) => ({
      what,
      act,
      times: /** @type {number[]} */ ([]),
    }));
    for (let round = 0; round < 3; round += 1) {
      for (const { act, times } of measured) {
        const { tasks } = await traced(browser, page, () => act(page));
        times.push(Math.max(...tasks.map(({ cpu }) => cpu)));
      }
    }
    await page.close();
    for (const { what, times } of measured)
      rows.push(row(`${cpus} CPUs, ${what}: longest main-thread task, CPU (ms)`, times));
  }
  return rows;
}

async function privateOf(browser, page) {
  const [system, client] = [
    await browser.newBrowserCDPSession(),
    await page.context().newCDPSession(page),
  ];
  const bytes = await privateBytes(system, client);
  await Promise.all([system, client].map((session) => session.detach()));
  return bytes;
}

/**
 * What a record costs all in: rows, indexes, the engine's memory and its snapshots, on both sides.
 */
export async function measureRecords(browser, address) {
  const rows = [];
  for (const [cpus, time] of [
    [40, "100ms"],
    [40, "400ms"],
  ]) {
    const page = await opened(
      browser,
      `${address}s/rt-pull-herd/#${fragment([`k.machine.cpus=${cpus}`, "k.duration=1ms"])}`,
    );
    const before = await privateOf(browser, page);
    await change(page, fragment([`k.machine.cpus=${cpus}`, `k.duration=${time}`]));
    const more = (await privateOf(browser, page)) - before;
    const records = await recordsOf(page);
    const bytes = more / records;
    rows.push(
      row(`bytes a record, all in, 2 × ${cpus} CPUs, ${(records / 1e6).toFixed(2)} M records`, [
        bytes,
      ]),
    );
    await page.close();
  }
  return rows;
}

/** Records of both runs, as the page reports them. */
async function recordsOf(page) {
  await page.getByRole("tab", { name: "Sources" }).click();
  const told = await page.getByTestId("provenance").innerText();
  return [...told.matchAll(/([\d\s]+) records/g)].reduce(
    (sum, [, digits]) => sum + Number(digits.replaceAll(/\s/g, "")),
    0,
  );
}

/** Goes to another comparison within the page, as a link does. */
async function change(page, hash) {
  await page.evaluate((to) => {
    history.pushState(undefined, "", to);
    globalThis.dispatchEvent(new PopStateEvent("popstate"));
  }, `#${hash}`);
  await idle(page);
}
