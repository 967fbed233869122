// Two runs beside each other: which wake-up is which.

import { expect, fieldsOf, framed, HERD, QUICK, SIDES, test, type Lab } from "./support/lab.ts";
import { LONG, THOROUGH } from "./support/thorough.ts";

async function due(
  lab: Lab,
  side: "a" | "b",
): Promise<{ readonly dueNs: number; readonly latencyNs: number }> {
  const latency = lab.get(`waterfall-${side}-latency`);
  return {
    dueNs: Number(await latency.getAttribute("data-due-ns")),
    latencyNs: Number(await latency.getAttribute("data-ns")),
  };
}

/** What a link says the timeline shows, ns. */
function stretch(text: string): readonly [fromNs: number, toNs: number] {
  const [from = NaN, to = NaN] = text.split("-").map((part) => {
    const [, number = "", unit = ""] = /^([\d.]+)(ns|us|ms|s)$/.exec(part) ?? [];
    return Math.round(Number(number) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit as "ns"]);
  });
  return [from, to];
}

for (const side of THOROUGH ? SIDES : SIDES.slice(0, 1)) {
  test(`the worst wake-up of ${side} and its partner are due at the same time; F centres the one of ${side}, F again fits it`, async ({
    lab,
  }) => {
    await lab.open(QUICK);
    await lab.dock("why");
    await lab.get(`worst-${side}`).click();
    await lab.whenIdle();
    const [a, b] = [await due(lab, "a"), await due(lab, "b")];
    expect(Math.abs(a.dueNs - b.dueNs)).toBeLessThan(500_000);
    expect(a.latencyNs).not.toBe(b.latencyNs);
    await lab.page.locator("body").click({ position: { x: 2, y: 2 } });
    await lab.press("0", "f", "f");
    const own = side === "a" ? a : b;
    const [from, to] = stretch(fieldsOf(await lab.copyLink())["t"] ?? "");
    expect(Math.abs((from + to) / 2 - (own.dueNs + own.latencyNs / 2))).toBeLessThanOrEqual(2);
    expect(to - from).toBeLessThan(3 * own.latencyNs);
    expect(from).toBeLessThanOrEqual(own.dueNs);
    expect(to).toBeGreaterThanOrEqual(own.dueNs + own.latencyNs);
  });
}

test("where no figure of the score differs, that is said once", async ({ lab }) => {
  await lab.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&k.kernel.rt_push_ipi=on")}`);
  const ratios = lab.get("headline").locator(".score-ratio");
  await expect(ratios.first()).toHaveText("all same");
  expect((await ratios.allTextContents()).join("")).toBe("all same");
  expect(
    await ratios.first().evaluate((words) => words.scrollWidth > words.clientWidth),
    "whole",
  ).toBe(false);
});

test("swapping A and B exchanges their results, stands in the link, and one undo takes it back", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const digests = async (): Promise<readonly (string | null)[]> => {
    await lab.whenIdle();
    await lab.dock("sources");
    return Promise.all(SIDES.map((side) => lab.get(`digest-${side}`).getAttribute("data-digest")));
  };
  const [a, b] = await digests();
  expect(a).not.toBe(b);
  await lab.get("swap").click();
  expect(await digests()).toEqual([b, a]);
  const link = await lab.copyLink();
  await lab.press("x");
  expect(await digests(), "the key does the same").toEqual([a, b]);
  await lab.page.keyboard.press("Control+z");
  expect(await digests()).toEqual([b, a]);
  await lab.open(link);
  expect(await digests(), "opened from its link").toEqual([b, a]);
});

test("the ruler marks the first divergence, says it in words, and leads there", async ({ lab }) => {
  await lab.open(QUICK);
  const mark = lab.get("divergence");
  const ns = Number(await mark.getAttribute("data-ns"));
  expect(await mark.getAttribute("title")).toMatch(/^A and B first differ at .+\. A: .*; B: /);
  await lab.press("x");
  await lab.whenIdle();
  expect(
    Number(await mark.getAttribute("data-ns")),
    "a swap parts the runs at the same instant",
  ).toBe(ns);
  await mark.click();
  await lab.whenIdle();
  await expect(mark).toHaveAttribute("data-where", "in");
  await expect(lab.get("divergence-line")).toHaveCount(2);
  expect(Number(await lab.get("playhead").getAttribute("data-ns"))).toBe(ns);
});

test("who goes to the first divergence, by the mark or by a key, reads and hears what differs there", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const mark = lab.get("divergence");
  const [, words = ""] =
    /^(A and B first differ at .+\. A: .+; B: .+\.) Click/.exec(
      (await mark.getAttribute("title")) ?? "",
    ) ?? [];
  expect(words).not.toBe("");
  const box = await mark.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  for (const way of ["key", "mark"]) {
    await (way === "key" ? lab.press("Shift+X") : mark.click());
    await expect(lab.get("reply-line"), way).toHaveText(words);
    await expect(lab.get("replied"), way).toHaveText(words);
    await lab.press("k");
    await expect(lab.get("reply-line"), "until the playhead is elsewhere").toHaveCount(0);
  }
  await lab.flip("kernel.rt_push_ipi", "b", await lab.knob("kernel.rt_push_ipi", "a").inputValue());
  await lab.press("Shift+X");
  await expect(lab.get("reply-line")).toHaveText("A and B do not differ.");
});

test(
  "pointing at one side shows the same time on the other, and the pair of the wake-up under the pointer",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.selectWorst();
    await lab.whenIdle();
    const [pairNs, [from, to]] = [
      (await due(lab, "b")).dueNs,
      stretch(fieldsOf(await lab.copyLink())["t"] ?? ""),
    ];
    const own = await due(lab, "a");
    const lanes = await lab.get("lanes-a").boundingBox();
    const ruler = await lab.page.locator(".tl-axis path.domain").first().boundingBox();
    if (lanes === null || ruler === null) throw new Error("no lanes");
    const at = own.dueNs + own.latencyNs / 2;
    const x = ruler.x + ((at - from) / (to - from)) * ruler.width;
    const pairs = new Set<number>();
    for (let y = lanes.y + 2; y < lanes.y + lanes.height && !pairs.has(pairNs); y += 3) {
      await lab.page.mouse.move(x, y);
      const pair = lab.get("linked-pair-b");
      if ((await pair.count()) > 0) pairs.add(Number(await pair.getAttribute("data-due-ns")));
    }
    expect([...pairs]).toContain(pairNs);
    const nsPerPx = (to - from) / ruler.width;
    expect(
      Math.abs(Number(await lab.get("linked-line-b").getAttribute("data-ns")) - at),
    ).toBeLessThan(2 * nsPerPx);
    await expect(lab.get("linked-line-a")).toHaveCount(0);
    await lab.page.mouse.move(x, ruler.y - 60);
    await expect(lab.get("linked-line-b")).toHaveCount(0);
  },
);
