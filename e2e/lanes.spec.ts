// Lanes kept on top, sorted, folded: small machines and those of 256 and 1024 CPUs.

import { expect, fieldsOf, framed, HERD, QUICK, test, type Lab, type Side } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

const MANY = `${HERD}#${framed("k.machine.cpus=256&k.duration=4ms")}`;
const MOST = `${HERD}#${framed("k.machine.cpus=1024&k.duration=1ms&k.machine.costs=modern_2s_qspin")}`;

/** The rows in sight, top to bottom: "pin7", "cpu0", "group3". */
function rows(lab: Lab, side: Side): Promise<readonly string[]> {
  return lab
    .get(`lanes-${side}`)
    .locator("[role=row]")
    .evaluateAll((all) => all.map((row) => row.getAttribute("data-row") ?? ""));
}

/** Tops of rows over the lanes' own top, CSS px. */
function tops(lab: Lab, side: Side): Promise<readonly number[]> {
  return lab.get(`lanes-${side}`).evaluate((lanes) => {
    const { top } = lanes.getBoundingClientRect();
    return [...lanes.querySelectorAll("[role=row]")].map((row) =>
      Math.round(row.getBoundingClientRect().top - top),
    );
  });
}

function row(lab: Lab, side: Side, name: string): ReturnType<Lab["get"]> {
  return lab.get(`lanes-${side}`).locator(`[data-row="${name}"]`);
}

/** The head of a row: its CPU number. */
async function head(
  lab: Lab,
  side: Side,
  name: string,
): Promise<{ readonly x: number; readonly y: number }> {
  const box = await row(lab, side, name).boundingBox();
  if (box === null) throw new Error(`no row ${name}`);
  return { x: box.x + 20, y: box.y + box.height / 2 };
}

async function clickHead(lab: Lab, side: Side, name: string): Promise<void> {
  const { x, y } = await head(lab, side, name);
  await lab.page.mouse.click(x, y);
  await lab.whenIdle();
}

test("a click on a CPU number keeps the lane on top of both sides, T lets it go, and the link of both says so", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("lanes-open")).toBeVisible();
  await clickHead(lab, "a", "cpu9");
  await clickHead(lab, "a", "cpu4");
  for (const side of ["a", "b"] as const)
    expect((await rows(lab, side)).slice(0, 3)).toEqual(["pin9", "pin4", "cpu0"]);
  expect(await tops(lab, "a"), "level").toEqual(await tops(lab, "b"));
  await expect(lab.get("lanes-said")).toContainText("on top: CPU 9, 4");
  const link = await lab.copyLink();
  expect(fieldsOf(link)["lanes"]).toBe("p9.4");
  await elsewhere.open(link);
  await expect
    .poll(() => rows(elsewhere, "b").then((all) => all.slice(0, 3)))
    .toEqual(["pin9", "pin4", "cpu0"]);
  await row(lab, "a", "pin9").focus();
  await lab.press("t");
  await expect.poll(() => rows(lab, "a").then((all) => all.slice(0, 2))).toEqual(["pin4", "cpu0"]);
  await lab.page.goBack();
  await expect
    .poll(() => rows(lab, "a").then((all) => all.slice(0, 2)), "back takes back")
    .toEqual(["pin9", "pin4"]);
});

test("a lane that is not on top is not put in order among the others, by drag or key, and the page says so", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await expect(lab.get("lanes-open")).toBeVisible();
  const before = await rows(lab, "a");
  const [from, to] = [await head(lab, "a", "cpu9"), await head(lab, "a", "cpu4")];
  await lab.page.mouse.move(from.x, from.y);
  await lab.page.mouse.down();
  await lab.page.mouse.move(to.x, to.y, { steps: 4 });
  await lab.page.mouse.up();
  await expect(lab.get("reply-line")).toContainText(
    "only lanes on top, at most 16, can be put in order",
  );
  expect(await rows(lab, "a")).toEqual(before);
  await lab.press("t");
  await expect(
    lab.get("reply-line"),
    "once a lane is on top, nobody waits for the reply",
  ).toHaveCount(0);
  await row(lab, "a", "cpu2").focus();
  await lab.press("Alt+ArrowDown");
  await expect(lab.get("replied")).toContainText("No lane moved");
});

test(
  "lanes on top are put in order by drag and by Alt with the arrows, and a drag away lets one go",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await expect(lab.get("lanes-open")).toBeVisible();
    for (const cpu of [3, 5, 8]) await clickHead(lab, "a", `cpu${String(cpu)}`);
    const top = (): Promise<readonly string[]> =>
      rows(lab, "b").then((all) => all.filter((name) => name.startsWith("pin")));
    const dragTo = async (name: string, y: number): Promise<void> => {
      const from = await head(lab, "a", name);
      const box = await lab.get("lanes-a").boundingBox();
      await lab.page.mouse.move(from.x, from.y);
      await lab.page.mouse.down();
      await lab.page.mouse.move(from.x, (box?.y ?? 0) + y, { steps: 4 });
      await lab.page.mouse.up();
      await lab.whenIdle();
    };
    await dragTo("pin8", 2);
    expect(await top()).toEqual(["pin8", "pin3", "pin5"]);
    await expect(lab.get("area"), "a drag on heads selects no area").toHaveCount(0);
    await row(lab, "a", "pin8").focus();
    await lab.press("Alt+ArrowDown");
    expect(await top()).toEqual(["pin3", "pin8", "pin5"]);
    await expect(row(lab, "a", "pin8"), "the focus goes with it").toBeFocused();
    await dragTo("pin3", 200);
    expect(await top()).toEqual(["pin8", "pin5"]);
    await row(lab, "a", "pin5").focus();
    await lab.press("Alt+ArrowDown");
    expect(await top()).toEqual(["pin8"]);
    await expect(
      row(lab, "a", "cpu5"),
      "down from the last place on top: in its own place",
    ).toBeFocused();
    await lab.press("Alt+ArrowUp");
    await expect(row(lab, "a", "pin5")).toBeFocused();
    await lab.press("t");
    await expect(row(lab, "a", "cpu5"), "let go by T").toBeFocused();
    await lab.get("lanes-open").click();
    await lab.get("lanes-reset").click();
    await expect.poll(top).toEqual([]);
  },
);

test(
  "the busiest lanes first: one order for both sides, and its link keeps it",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(QUICK);
    await lab.get("lanes-open").click();
    await lab.get("lanes-sort").selectOption("busy");
    await lab.press("Escape");
    const order = await rows(lab, "a");
    expect(order).not.toEqual(
      [...order].sort((one, other) => Number(one.slice(3)) - Number(other.slice(3))),
    );
    expect(await rows(lab, "b")).toEqual(order);
    const link = await lab.copyLink();
    expect(fieldsOf(link)["lanes"]).toBe("busy");
    await elsewhere.open(link);
    await expect.poll(() => rows(elsewhere, "a")).toEqual(order);
  },
);

test("256 CPUs open as strips of packages under rows of interest; a strip unfolds by click and key, and its link opens unfolded", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(MANY);
  await expect(lab.get("lanes-open")).toBeVisible();
  const opening = await rows(lab, "a");
  expect(opening.filter((name) => name.startsWith("pin")).length).toBeGreaterThan(1);
  expect(opening).toContain("group0");
  expect(opening.filter((name) => name.startsWith("cpu"))).toEqual([]);
  expect(await tops(lab, "a")).toEqual(await tops(lab, "b"));
  const box = await row(lab, "a", "group2").boundingBox();
  await lab.page.mouse.click((box?.x ?? 0) + 400, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  await lab.whenIdle();
  await expect(row(lab, "a", "cpu20")).toHaveCount(1);
  expect(await tops(lab, "a"), "level still").toEqual(await tops(lab, "b"));
  const link = await lab.copyLink();
  expect(fieldsOf(link)["lanes"]).toBe("o2");
  await elsewhere.open(link);
  await expect(row(elsewhere, "b", "cpu20")).toHaveCount(1);
  await row(lab, "b", "group2").focus();
  await lab.press("Enter");
  await expect(row(lab, "a", "cpu20")).toHaveCount(0);
  await lab.press("ArrowRight");
  await expect(row(lab, "a", "cpu20")).toHaveCount(1);
  await lab.press("ArrowLeft");
  await expect(row(lab, "a", "cpu20")).toHaveCount(0);
  await expect(row(lab, "b", "group2")).toHaveAttribute(
    "aria-label",
    /package 2, CPUs 20–29: folded.*of 10/,
  );
});

test(
  "a CPU that is walked along in a folded group comes on top, in sight on both sides",
  LONG,
  async ({ lab }) => {
    await lab.open(MANY);
    await row(lab, "a", "group3").focus();
    await lab.press("Enter");
    await row(lab, "a", "cpu33").focus();
    await row(lab, "a", "group3").focus();
    await lab.press("Enter", ",");
    await expect(row(lab, "a", "pin33")).toHaveCount(1);
    await expect(row(lab, "b", "pin33")).toHaveCount(1);
  },
);

test(
  "of 1024 CPUs the last lane is reached by keys alone, under rows that stay on top",
  LONG,
  async ({ lab }) => {
    test.slow();
    await lab.open(MOST);
    await expect(lab.get("lanes-open")).toBeVisible();
    await row(lab, "a", "group0").focus();
    await lab.press("End");
    await expect(row(lab, "a", "group31")).toBeFocused();
    await lab.press("Enter");
    await lab.press("End");
    await expect(row(lab, "a", "cpu1023")).toBeFocused();
    await expect(row(lab, "a", "cpu1023")).toBeInViewport();
    expect((await rows(lab, "a"))[0], "still on top").toMatch(/^pin/);
    expect((await tops(lab, "a"))[0]).toBe(0);
  },
);

test("a drag on a lane kept on top takes that CPU while the lanes are scrolled, and T keeps the focus in sight there", async ({
  lab,
}) => {
  await lab.open(`${HERD}#${framed("k.machine.cpus=128&k.duration=2ms&lanes=p70.90_flat")}`);
  await row(lab, "a", "cpu100")
    .or(row(lab, "a", "cpu0"))
    .first()
    .focus();
  await lab.press("End");
  await expect(row(lab, "a", "cpu127")).toBeFocused();
  const box = await row(lab, "a", "pin90").boundingBox();
  if (box === null) throw new Error("no lane on top");
  await lab.page.mouse.move(box.x + 300, box.y + 8);
  await lab.page.mouse.down();
  await lab.page.mouse.move(box.x + 400, box.y + 12, { steps: 4 });
  await lab.page.mouse.up();
  await lab.whenIdle();
  await expect(lab.get("area")).toHaveAttribute("data-cpus", "90");
  await row(lab, "a", "cpu127").focus();
  await lab.press("t");
  await expect(row(lab, "a", "cpu127")).toBeFocused();
  await expect(row(lab, "a", "cpu127")).toBeInViewport();
  await row(lab, "a", "pin127").focus();
  await lab.press("t");
  await expect(row(lab, "a", "cpu127")).toBeFocused();
});

test(
  "a drag of an area scrolls the lanes at their edge and takes in the CPUs that come",
  LONG,
  async ({ lab }) => {
    await lab.open(`${HERD}#${framed("k.machine.cpus=128&k.duration=2ms&lanes=flat")}`);
    const box = await lab.get("lanes-a").boundingBox();
    if (box === null) throw new Error("no lanes");
    await lab.page.mouse.move(box.x + 200, box.y + box.height - 40);
    await lab.page.mouse.down();
    await lab.page.mouse.move(box.x + 400, box.y + box.height + 4, { steps: 4 });
    await expect(row(lab, "a", "cpu127"), "it goes on by itself").toHaveCount(1);
    await lab.page.mouse.up();
    await lab.whenIdle();
    const cpus = ((await lab.get("area").getAttribute("data-cpus")) ?? "").split(" ").map(Number);
    expect(cpus.at(-1)).toBe(127);
    expect(cpus.length, "from where the drag began").toBeGreaterThan(20);
  },
);

test(
  "the counters over the lanes say at every instant what waits and what is idle meanwhile, on one scale, and the link keeps them",
  LONG,
  async ({ lab, elsewhere }) => {
    await lab.open(QUICK);
    await expect(lab.get("counters-a"), "off until they are asked for").toHaveCount(0);
    await lab.get("lanes-open").click();
    await lab.get("lanes-counters").check();
    await lab.press("Escape");
    for (const side of ["a", "b"] as const)
      await expect(lab.get(`counters-${side}`)).toHaveAttribute("data-runnable", /^\d+$/);
    await expect(lab.get("counters-a")).toContainText(/runnable tasks \d+, at most \d+/);
    expect(await tops(lab, "a"), "level").toEqual(await tops(lab, "b"));
    await lab.get("mark-more").click();
    await expect(lab.get("timeline-legend")).toContainText("idle while others overloaded");
    await lab.press("Escape");
    const box = await lab.get("counters-a").boundingBox();
    if (box === null) throw new Error("no counters");
    await lab.page.mouse.move(box.x + box.width * 0.6, box.y + box.height - 20);
    await expect(lab.get("counter-tip")).toContainText("overloaded CPUs, with two or more of them");
    await lab.page.mouse.click(box.x + box.width * 0.6, box.y + box.height - 20);
    await lab.whenIdle();
    const there = await lab.playhead();
    expect(there).toBeGreaterThan(0);
    const runnable = await lab.get("counters-a").getAttribute("data-runnable");
    const link = await lab.copyLink();
    expect(fieldsOf(link)["lanes"]).toBe("counters");
    await elsewhere.open(link);
    await expect(elsewhere.get("counters-a")).toHaveAttribute("data-runnable", runnable ?? "");
    await lab.page.setViewportSize({ width: 390, height: 844 });
    await lab.whenIdle();
    await expect(lab.get("counters-a").or(lab.get("counters-b")).first()).toBeInViewport();
  },
);
