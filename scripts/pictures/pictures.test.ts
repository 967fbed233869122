// The pictures of the site: the same bytes every time, the answer on them, and nothing but words
// where words come from a file.

import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../../src/engine/gen/scenarios.ts";
import type { State } from "../../src/state/shape/state.ts";
import { cardOf, cpusSeen, tileOf, tileSides } from "./card.ts";
import { THEMES } from "../../src/timeline/plot/timeline-theme.ts";
import { faceRuler } from "./font.ts";
import { jobs } from "./jobs.ts";
import { loadModules, openedState } from "./opened.ts";
import { pngOf } from "./png.ts";
import { stageOf } from "./stage.ts";
import { altOf } from "./words.ts";

const FONTS = "node_modules/@expo-google-fonts/inter";
const RULER = faceRuler(FONTS);
const WORDS = { kicker: "kicker", title: "Why do 40 CPUs wait for one lock?" };

let herd: State;
let quota: State;
beforeAll(() => {
  loadModules("src/engine/wasm");
  herd = openedState(scenario("rt-pull-herd"));
  quota = openedState(scenario("quota-pinned"));
}, 120_000); // A loaded machine is slow.

function scenario(slug: string) {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`there is no ${slug}`);
  return entry;
}

/** Width, height, bits and kind of colour as the file says. */
function headOf(png: Buffer): readonly number[] {
  return [png.readUInt32BE(16), png.readUInt32BE(20), png[24] ?? 0, png[25] ?? 0];
}

test("a card has 1200 x 630 dots and shows question, sides and the number of each", () => {
  const card = cardOf(herd, WORDS, RULER);
  for (const words of [
    "Why do 40 CPUs wait for one lock?",
    "pull",
    "push by IPI",
    "max 40",
    "100 µs on 40 CPUs",
    "schedscope",
  ])
    expect(card.svg).toContain(`>${words}</text>`);
  const figures = /A (.+) \(pull\), B (.+) \(push by IPI\)$/.exec(altOf(herd))?.slice(1) ?? [];
  expect(figures).toHaveLength(2);
  for (const figure of figures) expect(card.svg).toContain(`>${figure}</text>`);
  expect(headOf(pngOf(card, FONTS))).toEqual([1200, 630, 8, 3]);
});

test("the same scenario gives the same bytes, in each theme others", () => {
  const again = openedState(scenario("quota-pinned"));
  expect(
    pngOf(cardOf(again, WORDS, RULER), FONTS).equals(pngOf(cardOf(quota, WORDS, RULER), FONTS)),
  ).toBe(true);
  const [dark, light] = (["dark", "light"] as const).map((theme) => tileOf(quota, theme, RULER));
  expect(tileOf(again, "dark", RULER)).toEqual(dark);
  expect(light?.svg).not.toBe(dark?.svg);
});

test("the front page's stage has the size of the live one's box, side B where it stands there", () => {
  const svg = stageOf(herd, "dark", RULER);
  expect(svg).toContain('width="1440" height="752" viewBox="9 12 1440 752"');
  expect(svg, "the page heads the sides").not.toMatch(/>[AB]<\/text>/);
  const firstCpu = Array.from(svg.matchAll(/y="([\d.]+)"[^>]*>0<\/text>/g), ([, y]) => Number(y));
  expect((firstCpu.at(-1) ?? 0) - (firstCpu[0] ?? 0)).toBeCloseTo(347, 5);
  expect(stageOf(herd, "light", RULER)).not.toBe(svg);
});

test("words of a file are text and nothing else", () => {
  const hostile = `</text><script>alert(1)</script>&"'`;
  const { svg } = cardOf(herd, { kicker: hostile, title: hostile }, RULER);
  expect(svg).not.toContain("<script");
  expect(svg).toContain("&lt;/text&gt;&lt;script&gt;");
});

test("a long question is broken between words into lines of about the same length", () => {
  const title =
    "An idle CPU watches a flag or halts: who pays for the wake-up that comes after it?";
  const lines = Array.from(
    cardOf(herd, { kicker: "", title }, RULER).svg.matchAll(/font-weight="700"[^>]*>([^<]{12,})</g),
    ([, line]) => line,
  );
  expect(lines.slice(0, 2).join(" ")).toBe(title);
});

test("a machine without a herd shows no lock lane, one of a quota its pool", () => {
  const svg = cardOf(quota, WORDS, RULER).svg;
  expect(svg).not.toContain(">held</text>");
  expect(svg).toContain(">107 ms</text>");
});

test("a name too long for its place is written smaller, and is whole", () => {
  const idle = cardOf(openedState(scenario("beside-idle")), WORDS, RULER).svg;
  expect(
    ["placed when", "woken, never", "moved"].filter((line) => !idle.includes(`>${line}</text>`)),
  ).toEqual([]);
  const kernbench = scenario("kernbench-switches");
  const low = cardOf(openedState(kernbench), { ...WORDS, title: kernbench.title }, RULER).svg;
  expect(low, "below a question of two lines").toContain(">RFC of 2023: none</text>");
});

test("packages have their names alone, without the sign that a press unfolds them", () => {
  const { svg } = cardOf(openedState(scenario("nohz-sizes")), WORDS, RULER);
  expect(svg).toContain(">p0</text>");
  expect(svg).not.toMatch(/[▸▾]/);
});

test.each(["rt-push-chain", "quota-web-p95", "quota-unthrottle-storm"])(
  "all CPUs of a large machine have rows in the pictures of %s",
  (slug) => {
    const state = openedState(scenario(slug));
    const cpus = state.sides.a.shown?.meta.cpus ?? 0;
    expect(cpus).toBeGreaterThan(60);
    for (const title of [
      "Short?",
      "A question that is so long that it has to be broken into two lines, which leaves less room?",
    ])
      expect(cardOf(state, { ...WORDS, title }, RULER).svg).toContain(
        ` on ${String(cpus)} CPUs</text>`,
      );
    expect(tileSides(state, THEMES.dark).sides.map((side) => cpusSeen(side))).toEqual([cpus, cpus]);
  },
);

test("a card of more packages than it has room for says how many CPUs it shows", () => {
  const entry = scenario("nohz-sizes");
  const packages = JSON.parse(JSON.stringify(entry).replaceAll("768", "1024")) as typeof entry;
  const { svg } = cardOf(openedState(packages), WORDS, RULER);
  expect(svg).toMatch(/, \d+ of 1\s024 CPUs shown<\/text>/);
});

test("every scenario is drawn, and every lesson with the scenario that it opens with", () => {
  const all = jobs("lessons");
  expect(all.map(({ entry }) => entry.slug).sort()).toEqual(
    SCENARIOS.map(({ slug }) => slug).sort(),
  );
  expect(all.find(({ entry }) => entry.slug === "rt-pull-herd")?.lessons).toContainEqual({
    id: "herd",
    title: "Forty CPUs and one lock",
  });
});
