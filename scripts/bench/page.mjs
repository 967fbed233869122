// What a person feels, measured on the built page: how soon a picture is there, and how long frames
// take while panning and zooming.

/* global HTMLCanvasElement, document, requestAnimationFrame */

import crc32 from "crc-32";
import { leaveInLab } from "./form.mjs";
import { traced } from "./trace.mjs";

const FRAMES = 240;

/** What a page in each form comes to: the guided one keeps its numbers until the bet is placed. */
const FIRSTS = [
  ["first-contentful-paint", "first paint (ms)"],
  ["first-picture", "first simulated picture (ms)"],
];
const FIRSTS_OF_THE_LAB = [
  ...FIRSTS,
  ["first-numbers", "first numbers (ms)"],
  ["confirmed-numbers", "numbers confirmed by both runs (ms)"],
];

/** Cold loads in new profiles: what an address opens with, then the lab. */
export async function measureLoad(browser, address) {
  return [
    ...(await coldLoads(browser, "guided", address, FIRSTS)),
    ...(await coldLoads(browser, "lab", address, FIRSTS_OF_THE_LAB)),
  ];
}

async function coldLoads(browser, form, address, firsts) {
  const loads = [];
  for (let round = 0; round < 5; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    if (form === "lab") await leaveInLab(page);
    await page.addInitScript(markFirsts);
    await page.goto(address);
    const names = firsts.map(([name]) => name);
    await page.waitForFunction(
      (wanted) => wanted.every((name) => performance.getEntriesByName(name).length > 0),
      names,
    );
    const { metrics } = await client.send("Performance.getMetrics");
    const times = await page.evaluate(
      (wanted) => wanted.map((name) => performance.getEntriesByName(name)[0]?.startTime),
      names,
    );
    const cpu = 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    loads.push([...times, cpu]);
    await context.close();
  }
  const titles = [...firsts.map(([, title]) => title), "main thread's CPU until all of these (ms)"];
  return titles.map((title, place) =>
    row(
      `cold load, ${form}: ${title}`,
      loads.map((times) => times[place]),
    ),
  );
}

/**
 * Runs in the page: marks the first frames after which a number is there, a run's own number is
 * there, and the lanes show more than one colour.
 */
function markFirsts() {
  const markWhen = (name, isThere) => {
    const look = () => (isThere() ? performance.mark(name) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  };
  markWhen("first-numbers", () =>
    /\d/.test(document.querySelector(".score-figure")?.textContent ?? ""),
  );
  markWhen(
    "confirmed-numbers",
    () => document.querySelector("[data-testid^=headline-][data-value]") !== null,
  );
  markWhen("first-picture", () => {
    const canvas = document.querySelector("[data-testid=lanes-a] canvas");
    const pixels =
      canvas instanceof HTMLCanvasElement && canvas.width > 0
        ? canvas.getContext("2d")?.getImageData(0, 0, canvas.width, Math.min(canvas.height, 64))
            .data
        : undefined;
    return new Set(pixels === undefined ? [] : new Uint32Array(pixels.buffer)).size > 2;
  });
}

/** Frame times while the timeline is dragged and zoomed, for each machine. */
export async function measurePanning(browser, address, machines) {
  const rows = [];
  for (const { name, set } of machines) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await leaveInLab(page);
    await page.goto(`${address}s/rt-pull-herd/#${fragment(set)}`);
    await page.waitForFunction(() => globalThis.schedscope !== undefined);
    await page.evaluate(() => globalThis.schedscope.whenIdle());
    const records = await page.evaluate(
      () => document.querySelector("[data-testid=lanes-a] canvas") !== null,
    );
    if (!records) throw new Error("the page shows no lanes");
    const box = await page.getByTestId("lanes-a").boundingBox();
    if (box === null) throw new Error("the lanes are not on screen");
    rows.push(
      ...(await panned(
        browser,
        page,
        name,
        box.x + box.width / 2,
        box.y + Math.min(box.height, 300) / 2,
      )),
    );
    await page.close();
  }
  return rows;
}

/**
 * What a page keeps once its picture is drawn, and its frames while it is dragged and zoomed
 * around a point.
 */
export async function panned(browser, page, name, x, y) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const script = async () =>
    1000 *
    ((await client.send("Performance.getMetrics")).metrics.find(
      (each) => each.name === "ScriptDuration",
    )?.value ?? NaN);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await client.send("Runtime.getHeapUsage");
  let times = [];
  const before = await script();
  const { frames } = await traced(browser, page, async () => {
    times = await frameTimes(page, x, y);
  });
  return [
    row(`${name}: frame while panning and zooming (ms)`, times),
    row("… CPU of the main thread in a frame (ms)", frames),
    row("… script in a frame, mean (ms)", [((await script()) - before) / times.length]),
    row("… JavaScript’s objects and columns (MB)", [(usedSize + backingStorageSize) / 1e6]),
  ];
}

/**
 * Zooms in with Ctrl + wheel, then drags to and fro; one step of input a frame, as a hand gives it.
 */
async function frameTimes(page, x, y) {
  await page.mouse.move(x, y);
  await page.evaluate((wanted) => {
    const stamps = [];
    globalThis.frameStamps = new Promise((done) => {
      const tick = (now) => {
        stamps.push(now);
        if (stamps.length > wanted) done(stamps);
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
  }, FRAMES);
  const input = moveAbout(page, x, y);
  const stamps = await page.evaluate(() => globalThis.frameStamps);
  input.stop();
  await input.done;
  return stamps.slice(1).map((stamp, index) => stamp - stamps[index]);
}

function moveAbout(page, x, y) {
  let stopped = false;
  const loop = async () => {
    for (let step = 0; !stopped; step += 1) {
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, step % 40 < 20 ? -60 : 60);
      await page.keyboard.up("Control");
      // A plain drag chooses an area; with Shift it pans.
      await page.keyboard.down("Shift");
      await page.mouse.down();
      for (let move = 1; move <= 8 && !stopped; move += 1)
        await page.mouse.move(x + 20 * move * (step % 2 === 0 ? 1 : -1), y);
      await page.mouse.up();
      await page.keyboard.up("Shift");
      await page.mouse.move(x, y);
    }
  };
  return { done: loop(), stop: () => (stopped = true) };
}

export function row(what, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) =>
    Number(
      (
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      ).toFixed(1),
    );
  return { what, p50: at(0.5), p95: at(0.95), max: at(1), samples: sorted.length };
}

/** A link's fragment as docs/use/links.md has it. */
export function fragment(pairs) {
  const body = (length) => [`v=3.${length}`, ...pairs].join("&");
  let length = 0;
  while (body(length).length + "&c=00000000".length !== length)
    length = body(length).length + "&c=00000000".length;
  const check = (crc32.str(body(length)) >>> 0).toString(16).padStart(8, "0");
  return `${body(length)}&c=${check}`;
}
