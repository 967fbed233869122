// The page as a person uses it, in verbs: what every browser test speaks. It knows test ids, keys
// and addresses; it must not know how the page is made. Nothing sleeps: `whenIdle` and web-first
// assertions wait. A page that throws, complains, breaks its policy, misses a file or asks another
// host fails the test it happened in.

import {
  expect,
  test as base,
  type BrowserContext,
  type ConsoleMessage,
  type Locator,
  type Page,
} from "@playwright/test";
import crc32 from "crc-32";

export { expect };

export type Side = "a" | "b";
export const SIDES: readonly Side[] = ["a", "b"];

export const HERD = "s/rt-pull-herd/";
export const PUSH_IPI = "kernel.rt_push_ipi";
export const DEPTH = "rq_lock.max_waiters";
export const SPIN = "rq_lock.wait_ns";
/** The scrubber's gutter, CSS px. */
const SCRUB_GUTTER_PX = 20;

export interface LabWaterfall {
  readonly name: string;
  readonly latencyNs: number;
  readonly rowsNs: readonly number[];
  readonly sumNs: number;
  /** The words under the table: "100.00 %". */
  readonly total: string;
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export class Lab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Goes to an address and waits until everything is computed and painted. */
  async open(address: string): Promise<void> {
    await this.page.goto(address);
    await this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    await this.page.waitForFunction(() => window.schedscope !== undefined);
    await this.page.evaluate(() => window.schedscope?.whenIdle());
  }

  get(testId: string): Locator {
    return this.page.getByTestId(testId);
  }

  /** A headline number as the page knows it, unrounded. */
  async headline(side: Side, metric: string): Promise<number> {
    const number = this.get(`headline-${metric}-${side}`);
    await expect(number).toHaveAttribute("data-value", /^\d+$/);
    return numberOf(number, "data-value");
  }

  /** The given headline numbers, A and B of the first, A and B of the next. */
  async headlines(...metrics: readonly string[]): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (const metric of metrics)
      for (const side of SIDES) numbers.push(await this.headline(side, metric));
    return numbers;
  }

  async digest(side: Side): Promise<string> {
    return (await this.get(`digest-${side}`).getAttribute("data-digest")) ?? "";
  }

  knob(path: string, side: Side | "both" = "both"): Locator {
    return this.get(side === "both" ? `knob-${path}` : `knob-${path}-${side}`);
  }

  /** Sets a knob the way its control is used, and waits for the new run. */
  async flip(path: string, side: Side | "both", value: string): Promise<void> {
    const control = this.knob(path, side);
    const tag = await control.evaluate((element) => element.tagName);
    if (tag === "SELECT") {
      await control.selectOption(value);
    } else if (tag === "INPUT") {
      await control.fill(value);
      await control.press("Enter");
    } else {
      // Not `check()`: it looks once, right after the click, and a busy page answers a moment
      // later.
      const choice = control.getByRole("radio", { name: value, exact: true });
      await choice.click({ force: true });
      await expect(choice).toBeChecked();
    }
    await this.whenIdle();
  }

  /** Lets a live knob act from the playhead on. */
  async fromHere(path: string): Promise<void> {
    await this.get(`knob-${path}-here`).check();
  }

  async choose(theme: "dark" | "light" | "projector"): Promise<void> {
    await this.get(`theme-${theme}`).click({ force: true });
    await expect(this.page.locator("html")).toHaveAttribute("data-theme", theme);
    await this.whenIdle();
  }

  /** The time at the playhead, ns. */
  async playhead(): Promise<number> {
    return numberOf(this.clock, "data-ns");
  }

  get clock(): Locator {
    return this.get("transport").getByTestId("playhead");
  }

  /** Presses the scrubber at a share of the run, or drags from one share to another. */
  async scrub(from: number, to = from): Promise<void> {
    const box = await this.get("scrubber").boundingBox();
    if (box === null) throw new Error("no scrubber");
    const y = box.y + box.height / 2;
    // The run begins beside the letters of the sides.
    const x = (share: number): number =>
      box.x + SCRUB_GUTTER_PX + (box.width - SCRUB_GUTTER_PX) * share;
    await this.page.mouse.move(x(from), y);
    await this.page.mouse.down();
    if (to !== from) await this.page.mouse.move(x(to), y, { steps: 4 });
    await this.page.mouse.up();
    await this.whenIdle();
  }

  /** The stretch in view, ns; in a scenario with steps. */
  async view(): Promise<readonly [fromNs: number, toNs: number]> {
    const line = this.get("story-line");
    return [await numberOf(line, "data-from"), await numberOf(line, "data-to")];
  }

  /** Labels of the time axis: they name the stretch in sight. */
  async axis(): Promise<readonly string[]> {
    return this.get("time-axis").first().locator(".tick text").allTextContents();
  }

  /**
   * Where a side's lanes show exactly this colour, CSS px from their left upper corner, right of
   * the CPU numbers.
   */
  async pixelsOf(side: Side, colour: string): Promise<readonly Pixel[]> {
    return this.get(`lanes-${side}`).evaluate((lanes, hex) => {
      const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      return [...lanes.querySelectorAll("canvas")].flatMap((canvas) => {
        const { width, height } = canvas;
        const data =
          canvas.getContext("2d")?.getImageData(0, 0, width, height).data ??
          new Uint8ClampedArray(0);
        const ratio = width / canvas.clientWidth;
        const found: Pixel[] = [];
        // Neither the gutter nor the last dots before the edge, where nothing is pointed at.
        const inside = (x: number): boolean => x > 60 && x < width / ratio - 6;
        for (let at = 0; at < width * height; at += 1) {
          const same =
            wanted.every((value, channel) => data[at * 4 + channel] === value) &&
            data[at * 4 + 3] === 255;
          if (same && inside((at % width) / ratio))
            found.push({ x: (at % width) / ratio, y: Math.floor(at / width) / ratio });
        }
        return found;
      });
    }, colour);
  }

  /** Rests the pointer on a side's lanes and reads what is said there. */
  async hoverLanes(side: Side, { x, y }: Pixel): Promise<string> {
    const lanes = this.get(`lanes-${side}`);
    await lanes.scrollIntoViewIfNeeded();
    await lanes.hover({ position: { x, y }, force: true });
    await expect(this.get("lane-tip")).toBeVisible();
    // The tip of another place may still be there.
    await this.whenIdle();
    return this.get("lane-tip").innerText();
  }

  /** What is said of a CPU at the playhead. */
  cpuRow(side: Side, cpu: number): Locator {
    return this.get(`lanes-${side}`).locator(`[role=row][data-cpu="${cpu}"]`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    await this.whenIdle();
  }

  /** Opens one of the answers at the right. */
  async dock(tab: "why" | "latency" | "story" | "numbers" | "sources"): Promise<void> {
    if ((await this.get("dock").count()) === 0) await this.get("dock-open").click();
    await this.get(`dock-${tab}`).click();
    await expect(this.get(`dock-panel-${tab}`)).toBeVisible();
  }

  /** The worst wake-up of the focused side, by its key. */
  async selectWorst(): Promise<void> {
    await this.press("l");
    await expect(this.get("waterfall-a").or(this.get("waterfall-b")).first()).toBeVisible();
  }

  async waterfall(side: Side): Promise<LabWaterfall> {
    const id = `waterfall-${side}`;
    await expect(this.get(`${id}-sum`)).toHaveAttribute("data-ns", /^\d+$/);
    const rows = await this.get(id).locator("tbody tr").all();
    return {
      name: await this.get(`${id}-name`).innerText(),
      latencyNs: await numberOf(this.get(`${id}-latency`), "data-ns"),
      rowsNs: await Promise.all(rows.map((row) => numberOf(row, "data-ns"))),
      sumNs: await numberOf(this.get(`${id}-sum`), "data-ns"),
      total: await this.get(`${id}-total`).innerText(),
    };
  }

  /** What the share dialog puts on the clipboard. */
  async copyLink(): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.get("share-open").click();
    await this.get("share-copy-link").click();
    await expect(this.get("share-copy-link")).toContainText("Copied");
    const link = await this.page.evaluate(() => navigator.clipboard.readText());
    await this.page.keyboard.press("Escape");
    await expect(this.get("share")).toHaveCount(0);
    return link;
  }

  /** Writes a text into the scenario drawer's editor; the page reads it when the field is left. */
  async write(text: string): Promise<void> {
    await this.get("editor").fill(text);
    await this.get("editor").blur();
    await this.whenIdle();
  }

  /** Leaves a mark that no reload survives. */
  async mark(): Promise<void> {
    await this.page.evaluate(() => (document.documentElement.dataset["mark"] = "here"));
  }

  async expectNoReload(): Promise<void> {
    await expect(this.page.locator("html")).toHaveAttribute("data-mark", "here");
  }
}

async function numberOf(locator: Locator, attribute: string): Promise<number> {
  const text = await locator.getAttribute(attribute);
  if (text === null) throw new Error(`no ${attribute}`);
  return Number(text);
}

/** The fields of a link's fragment. */
export function fieldsOf(link: string): Readonly<Record<string, string>> {
  const [, fragment = ""] = link.split("#");
  return Object.fromEntries(fragment.split("&").map((item) => item.split("=") as [string, string]));
}

/**
 * A fragment with right length and check value around the given items: docs/use/links.md, written
 * anew on purpose.
 */
export function framed(items: string, version = 3): string {
  const withLength = (length: number): string => `v=${version}.${length}&${items}`;
  const ending = "&c=00000000".length;
  let length = 0;
  while (withLength(length).length + ending !== length) length = withLength(length).length + ending;
  const head = withLength(length);
  return `${head}&c=${(crc32.str(head) >>> 0).toString(16).padStart(8, "0")}`;
}

/**
 * The herd on a machine small and short enough to be computed in a moment, for tests that are about
 * something else.
 */
export const QUICK = `${HERD}#${framed("k.duration=20ms&k.machine.cpus=16")}`;
/** One herd at a time, as in the scenario's later variants: cheap enough for 256 CPUs. */
const ONE_NOISE =
  "k.workload.rt_noise.tasks=1&k.workload.rt_noise.run=30us&k.workload.rt_noise.min_gap=600us";
export const ONE_HERD = `${HERD}#${framed(`${ONE_NOISE}&k.workload.rt_noise.when=all-cpus-in-cyclictest&k.duration=30ms`)}`;

/** Collects everything a page of ours must never do. */
export async function watch(page: Page): Promise<readonly string[]> {
  const complaints: string[] = [];
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
  page.on("console", (message) => {
    if (isIconOffline(message)) return;
    if (message.type() === "error" || message.text().includes("Content Security Policy"))
      complaints.push(message.text());
    // The page reads no dots of a canvas that it did not make for reading; tests may, from no file.
    if (message.text().includes("willReadFrequently") && message.location().url !== "")
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !/^http:\/\/127\.0\.0\.1:\d+$/.test(origin))
      complaints.push(`a request to ${origin}`);
  });
  return complaints;
}

/** The browser fetches the page's icon when it likes, after a test has taken the network away too. */
function isIconOffline(message: ConsoleMessage): boolean {
  return (
    message.text().includes("ERR_INTERNET_DISCONNECTED") &&
    message.location().url.endsWith("/favicon.svg")
  );
}

interface Fixtures {
  readonly lab: Lab;
  /** A second person's browser: storage, history and cache of its own. */
  readonly elsewhere: Lab;
}

interface Options {
  /** Motion is reduced unless a test is about motion: the first showing takes seconds. */
  readonly motion: "reduce" | "no-preference";
  /**
   * Whether a page that is left alone computes ahead: it takes CPU time from the tests beside it,
   * and workers that end.
   */
  readonly ahead: boolean;
  /** What an address without lab things opens: this browser was left in the lab, or never there. */
  readonly form: "lab" | "guided";
}

/** A browser that was left in the lab, whichever the site's root is. */
async function leaveInLab(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const read = Object.getOwnPropertyDescriptor(Storage.prototype, "getItem")?.value as (
      this: Storage,
      name: string,
    ) => string | null;
    Storage.prototype.getItem = function kept(name) {
      const lab = /^schedscope:.*:form$/.test(name) ? "lab" : null;
      return read.call(this, name) ?? lab;
    };
  });
}

export const test = base.extend<Fixtures & Options>({
  motion: ["reduce", { option: true }],
  contextOptions: async ({ contextOptions, motion }, use) =>
    use({ ...contextOptions, reducedMotion: motion }),
  ahead: [false, { option: true }],
  form: ["lab", { option: true }],
  page: async ({ page, ahead, form }, use) => {
    if (form === "lab") await leaveInLab(page);
    // On one processor a page computes only what the viewer asks for.
    if (!ahead)
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "hardwareConcurrency", { value: 1 }),
      );
    await use(page);
  },
  lab: async ({ page }, use) => {
    const complaints = await watch(page);
    await use(new Lab(page));
    expect(complaints, "what the page complained of").toEqual([]);
  },
  elsewhere: async ({ browser, baseURL, motion, form }, use) => {
    const context: BrowserContext = await browser.newContext({
      reducedMotion: motion,
      viewport: { width: 1440, height: 900 },
      ...(baseURL === undefined ? {} : { baseURL }),
    });
    const page = await context.newPage();
    if (form === "lab") await leaveInLab(page);
    const complaints = await watch(page);
    await use(new Lab(page));
    expect(complaints, "what the second page complained of").toEqual([]);
    await context.close();
  },
});
