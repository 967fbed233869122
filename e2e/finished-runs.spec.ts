// Runs that were computed before are found again: numbers and picture are there at once, and they
// are those of a fresh page.

import type { Page } from "@playwright/test";
import { DEPTH, expect, framed, HERD, PUSH_IPI, SIDES, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

/** Small, and with more than the 16 CPUs up to which `auto_gt16` is `off`. */
const TWENTY = `${HERD}#${framed("k.duration=20ms&k.machine.cpus=20")}`;

test.use({ ahead: true });

declare global {
  interface Window {
    runsAsked?: number;
  }
}

/** What the page sends a worker, as far as it matters here. */
interface Told {
  readonly type?: string;
  readonly request?: { readonly trace?: string };
}

/** Counts what the page asks its workers to run with its rows; before it is opened. */
async function countRuns(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on its worker below
    const send = Worker.prototype.postMessage as (
      this: Worker,
      message: Told,
      ...rest: unknown[]
    ) => void;
    Worker.prototype.postMessage = function (
      this: Worker,
      message: Told,
      ...rest: unknown[]
    ): void {
      if (message.type === "run" && message.request?.trace !== "none")
        window.runsAsked = (window.runsAsked ?? 0) + 1;
      send.call(this, message, ...rest);
    };
  });
  return () => page.evaluate(() => window.runsAsked ?? 0);
}

function digests(lab: Lab): Promise<readonly string[]> {
  return Promise.all(SIDES.map((side) => lab.digest(side)));
}

test("a switch flipped back, undo, redo and swap show numbers and picture at once, without the engine, as a fresh page does", async ({
  lab,
  elsewhere,
}) => {
  const runs = await countRuns(lab.page);
  await lab.open(TWENTY);
  const first = await digests(lab);
  const numbers = await lab.headlines(DEPTH);
  await lab.flip(PUSH_IPI, "a", "auto_gt16");
  const flipped = await digests(lab);
  expect(await runs()).toBe(3);
  expect(flipped).not.toEqual(first);
  // All in the page, so that nothing but the page is waited for: two frames after the change
  // everything is there.
  const shown = await lab.page.evaluate(
    async ([testId, metric]) => {
      const knob = document.querySelector<HTMLSelectElement>(`[data-testid="${testId}"]`);
      if (knob === null) throw new Error("no knob");
      knob.value = "off";
      knob.dispatchEvent(new Event("change", { bubbles: true }));
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      const value = (side: string): string | null | undefined =>
        document
          .querySelector(`[data-testid="headline-${metric}-${side}"]`)
          ?.getAttribute("data-value");
      return ["a", "b"].map(value).map(Number);
    },
    [`knob-${PUSH_IPI}-a`, DEPTH] as const,
  );
  expect(shown).toEqual(numbers);
  await lab.whenIdle();
  expect(await digests(lab)).toEqual(first);
  await lab.get("undo").click();
  await lab.whenIdle();
  expect(await digests(lab)).toEqual(flipped);
  await lab.get("redo").click();
  await lab.get("swap").click();
  await lab.whenIdle();
  expect(await digests(lab)).toEqual(first.toReversed());
  expect(await runs(), "nothing of this was computed anew").toBe(3);
  await elsewhere.open(await lab.copyLink());
  expect(await digests(elsewhere)).toEqual(await digests(lab));
});

test(
  "A made like B shares B's run; what is then written to A alone leaves B as it is, and undo shares it again",
  LONG,
  async ({ lab, elsewhere }) => {
    const runs = await countRuns(lab.page);
    await lab.open(TWENTY);
    const [, b] = await digests(lab);
    await lab.flip(PUSH_IPI, "a", "on");
    expect(await digests(lab)).toEqual([b, b]);
    expect(await runs()).toBe(2);
    await lab.scrub(0.5);
    await lab.fromHere(PUSH_IPI);
    await lab.flip(PUSH_IPI, "a", "off");
    const written = await digests(lab);
    expect(written[0]).not.toBe(b);
    expect(written[1]).toBe(b);
    await elsewhere.open(await lab.copyLink());
    expect(await digests(elsewhere)).toEqual(written);
    await lab.get("undo").click();
    await lab.whenIdle();
    expect(await digests(lab)).toEqual([b, b]);
    expect(await runs()).toBe(3);
  },
);

test(
  "a switch under the pointer is computed ahead: nothing on screen tells, and the choice asks no worker any more",
  LONG,
  async ({ lab, elsewhere }) => {
    const runs = await countRuns(lab.page);
    await lab.open(TWENTY);
    const told = (): Promise<string> =>
      lab.page.evaluate(
        () => `${document.title} ${document.querySelector("main")?.textContent ?? ""}`,
      );
    const before = [await told(), ...(await digests(lab))];
    await lab.knob(PUSH_IPI, "a").hover();
    await expect.poll(runs, { message: "the next value in the list that no side shows" }).toBe(3);
    await lab.whenIdle();
    expect(
      [await told(), ...(await digests(lab))],
      "the page is at rest, and says what it said",
    ).toEqual(before);
    // Without the focus, which would make further values likely.
    await lab.page.evaluate((testId) => {
      const knob = document.querySelector<HTMLSelectElement>(`[data-testid="${testId}"]`);
      if (knob === null) throw new Error("no knob");
      knob.value = "auto_gt16";
      knob.dispatchEvent(new Event("change", { bubbles: true }));
    }, `knob-${PUSH_IPI}-a`);
    await lab.whenIdle();
    expect(await runs(), "taken over, or there already").toBe(3);
    await elsewhere.open(await lab.copyLink());
    expect(await digests(elsewhere)).toEqual(await digests(lab));
  },
);
