// Every part of every mark, through the registry: it is drawn, found where it is drawn, spoken,
// stepped to, explained and coloured.

import { expect, test } from "vitest";
import { ruleAbout, rulesOfKind, type Rule } from "../../model/rules/rules.ts";
import { LabelLayer } from "../draw/label-layer.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { chipOrder } from "./chips.tsx";
import { hitAt } from "./hit.ts";
import type { Mark } from "./mark.ts";
import { SHORT_MAX } from "./mark.ts";
import { MARKS, marksIn, spokenAt, stepOf } from "./registry.ts";
import { inked } from "./testing.ts";
import { CHANGE_NS, CPUS, END_NS, sceneOf, STORY } from "./story.ts";

const SCENE = sceneOf(THEMES.dark);
const each = test.each(MARKS.map((mark) => [mark.id, mark] as const));

function drawn(mark: Mark, scene = SCENE): ReturnType<typeof inked> {
  return inked((context) => {
    const labels = new LabelLayer();
    labels.begin(context, scene.plot);
    mark.draw(context, scene, labels);
    labels.write(context, scene.plot);
  });
}

/** Where on the picture the shapes of a mark lie, words left out. */
function shapesOf(mark: Mark): readonly { readonly x: number; readonly y: number }[] {
  return drawn(mark).shapes.filter(
    ({ x, y }) =>
      x >= SCENE.plot.gutter && x <= SCENE.plot.width && y >= 0 && y < SCENE.plot.height,
  );
}

test("each mark has a name of its own, and words of its own in the legend", () => {
  const ids = MARKS.map(({ id }) => id);
  const words = MARKS.flatMap(({ legend }) => legend.map((entry) => entry.words));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(words).size).toBe(words.length);
});

test("the story has every mark, so that the tests below speak of all of them", () => {
  expect(marksIn([SCENE])).toEqual(MARKS);
});

each("%s: is drawn", (_id, mark) => {
  const { shapes, words } = drawn(mark);
  expect(shapes.length + words.length).toBeGreaterThan(0);
});

each("%s: is found at every place where it is drawn", (_id, mark) => {
  for (const { x, y } of shapesOf(mark)) {
    const hit = hitAt(SCENE, x, y);
    if (hit === undefined) continue;
    const found = mark.hit(SCENE, { x, y, cpu: hit.cpu, ns: hit.ns });
    expect(found?.lines.join(" "), `nothing at ${x.toFixed(1)}, ${y.toFixed(1)}`).toBeTruthy();
    expect(hit.lines, "the tooltip says so").toContain(found?.lines[0]);
  }
});

each(
  "%s: has a rule of the kernel behind each of its records, and behind it wherever it is found",
  (_id, mark) => {
    // What a program does by itself has no function of the kernel, but a rule of the model.
    const isOwn = (rule: Rule | undefined): boolean =>
      rule?.model.startsWith("docs/model/programs.md") === true;
    for (const kind of mark.kinds)
      expect(
        rulesOfKind(kind).filter((rule) => rule.places.length > 0 || isOwn(rule)).length,
        `kind ${String(kind)}`,
      ).toBeGreaterThan(0);
    for (const { x, y } of shapesOf(mark)) {
      const at = hitAt(SCENE, x, y);
      const found =
        at === undefined ? undefined : mark.hit(SCENE, { x, y, cpu: at.cpu, ns: at.ns });
      if (found === undefined) continue;
      const rule = ruleAbout(SCENE.trace, found.about);
      expect((rule?.places.length ?? 0) > 0 || isOwn(rule), found.lines[0]).toBe(true);
    }
  },
);

each("%s: is spoken where arrow keys stop, on the CPU that it concerns", (_id, mark) => {
  const said: string[] = [];
  for (let cpu = 0; cpu < CPUS; cpu += 1) {
    for (
      let ns = mark.step(SCENE, cpu, -1, true);
      ns !== undefined;
      ns = mark.step(SCENE, cpu, ns, true)
    ) {
      mark.speak(SCENE, ns, (on, words) => (on === cpu ? said.push(words) : 0));
      const back = mark.step(SCENE, cpu, ns + 1, false);
      expect(back, "the way back leads to the same instant").toBe(ns);
    }
  }
  expect(said.length).toBeGreaterThan(0);
  for (const words of said) expect(words).toMatch(/\w+ \w+/);
});

each("%s: has a legend whose swatches are drawn, and words of at most four words", (_id, mark) => {
  expect(mark.legend.length).toBeGreaterThan(0);
  for (const { words, swatch } of mark.legend) {
    expect(words.split(" ").length).toBeLessThanOrEqual(4);
    const { shapes } = inked((context) => swatch(context, THEMES.dark, 26, 14));
    expect(shapes.length, words).toBeGreaterThan(0);
  }
});

each("%s: is drawn in its own colours in all themes", (_id, mark) => {
  expect(mark.colours.length).toBeGreaterThan(0);
  for (const theme of Object.values(THEMES)) {
    const own = mark.colours.map((key) => theme[key]);
    for (const colour of own) expect(colour).toMatch(/^#[0-9A-F]{6}$/i);
    const { inks } = drawn(mark, sceneOf(theme));
    if (inks.size > 0)
      expect(own.filter((colour) => inks.has(colour)).length, theme.name).toBeGreaterThan(0);
  }
});

each("%s: says how it is drawn where there are many", (_id, mark) => {
  expect(mark.detail.most).toBeGreaterThan(0);
  expect(mark.plural).toMatch(/\w/);
  expect(mark.short, "for a chip").toMatch(/\w/);
  expect(mark.short, "one has no plural's s").toBe(
    mark.shortOne + (mark.short === mark.shortOne ? "" : "s"),
  );
  expect(mark.short.length).toBeLessThanOrEqual(SHORT_MAX);
});

test("the count of a mark in a window is that of its items: a pull that also migrates is one move", () => {
  const counts = (fromNs: number, toNs: number): Readonly<Record<string, number>> =>
    Object.fromEntries(
      MARKS.map((mark) => [mark.id, mark.count(SCENE, fromNs, toNs)] as const).filter(
        ([, count]) => count > 0,
      ),
    );
  expect(counts(0, END_NS)).toEqual({
    tick: 1,
    "tick-stop": 2,
    throttle: 1,
    "rt-throttle": 1,
    interrupt: 1,
    overload: 1,
    tether: 1,
    "user-lock": 2,
    softirq: 3,
    flag: 1,
    point: 2,
    refill: 1,
    drop: 4,
    ipi: 3,
    kick: 2,
    move: 3,
    change: 1,
  });
  // In the middle of what lasts.
  expect(counts(1120, 1180)).toEqual({ throttle: 1 });
  expect(counts(1350, 1400)).toEqual({ "rt-throttle": 1 });
});

test("chips: what is in view first, in it what the numbers are about, else the order of the registry", () => {
  const order = (fromNs: number, toNs: number, about: readonly string[]): readonly string[] =>
    chipOrder([SCENE], { fromNs, toNs }, about).map(
      ({ mark, count }) => `${mark.id} ${String(count)}`,
    );
  expect(order(590, 720, []).slice(0, 2)).toEqual(["move 3", "tick 0"]);
  expect(order(0, END_NS, ["throttle", "drop"]).slice(0, 3)).toEqual([
    "throttle 1",
    "drop 4",
    "tick 1",
  ]);
  expect(order(590, 720, ["throttle"]).slice(0, 2)).toEqual(["move 3", "throttle 0"]);
});

test("a CPU's row speaks of all marks at an instant, and steps reach each of them both ways", () => {
  const forward: number[] = [];
  for (let ns = stepOf(SCENE, 1, -1, true); ns !== undefined; ns = stepOf(SCENE, 1, ns, true))
    forward.push(ns);
  const back: number[] = [];
  for (
    let ns = stepOf(SCENE, 1, END_NS + 1, false);
    ns !== undefined;
    ns = stepOf(SCENE, 1, ns, false)
  )
    back.push(ns);
  expect(back.reverse()).toEqual(forward);
  expect(forward.length).toBeGreaterThan(10);
  for (const ns of forward)
    if (STORY.quietEnds.has(ns)) continue;
    else expect(spokenAt(SCENE, ns).get(1)?.join(" "), String(ns)).toBeTruthy();
});

test("a live change out of sight is pointed at from the edge of the picture, and the arrow can be asked", () => {
  const change = MARKS.find(({ id }) => id === "change");
  if (change === undefined) throw new Error("no such mark");
  for (const [fromNs, toNs, x] of [
    [CHANGE_NS + 10, END_NS, SCENE.plot.gutter + 3],
    [0, CHANGE_NS - 10, SCENE.plot.width - 3],
  ] as const) {
    const scene = sceneOf(THEMES.light, { fromNs, toNs });
    const { shapes, words } = drawn(change, scene);
    expect(shapes.some((at) => Math.abs(at.x - x) <= 8)).toBe(true);
    expect(words.join(" ")).toMatch(/RT_PUSH_IPI/);
    const y = scene.plot.height - scene.plot.theme.fontPx;
    expect(hitAt(scene, x, y)?.lines.join(" ")).toMatch(
      /written to the running kernel: RT_PUSH_IPI/,
    );
  }
});
