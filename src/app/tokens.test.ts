// Contrast of the three themes, read from the style sheet itself: text 4.5:1, marks and focus rings
// 3:1.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CAUSES } from "../engine/gen/catalogue.ts";
import type { Whose } from "../panels/widgets/Chip.tsx";

const SHEET = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** Tokens of a theme, later blocks over earlier ones, as the cascade has it. */
function tokens(theme: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, selector = "", body = ""] of SHEET.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const applies =
      selector.includes(`"${theme}"`) || /(^|,|\*\/)\s*:root\s*(,|$)/m.test(selector.trim());
    if (!applies) continue;
    for (const [, name = "", value = ""] of body.matchAll(/--([\w-]+):\s*([^;]+);/g))
      found.set(name, value.trim());
  }
  return found;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort(
    (left, right) => right - left,
  );
  return (light + 0.05) / (dark + 0.05);
}

const THEMES = ["dark", "light", "projector"] as const;
const BACKGROUNDS = ["bg", "surface", "raised"];
const TEXTS = ["text", "muted", "link", "thread", "warn"];
const MARKS = [
  "edge",
  "focus",
  "side-a",
  "side-b",
  ...CAUSES.map((cause) => `cause-${cause.name.replaceAll("_", "-")}`),
];
const PAIRS = [
  ["on-side", "side-a"],
  ["on-side", "side-b"],
  ["on-accent", "accent"],
  ["error", "error-bg"],
  ["fault", "fault-bg"],
  ["text", "warn-bg"],
  ["text", "error-bg"],
  ["text", "fault-bg"],
  ["side-a", "surface"],
  ["side-b", "surface"],
];

test.each(THEMES)("%s: text reads at 4.5:1, marks at 3:1", (theme) => {
  const found = tokens(theme);
  const hex = (name: string): string => {
    const value = found.get(name) ?? "";
    expect([name, value]).toEqual([name, expect.stringMatching(/^#[0-9a-f]{6}$/)]);
    return value;
  };
  const weak = [
    ...TEXTS.flatMap((text) => BACKGROUNDS.map((ground) => [text, ground, 4.5] as const)),
    ...PAIRS.map(([text = "", ground = ""]) => [text, ground, 4.5] as const),
    ...MARKS.flatMap((mark) => ["bg", "surface"].map((ground) => [mark, ground, 3] as const)),
  ].filter(([front, ground, least]) => contrast(hex(front), hex(ground)) < least);
  expect(weak).toEqual([]);
});

test("the projector theme is 1.5 times as big, with strokes of 3 px, on white", () => {
  const found = tokens("projector");
  expect([found.get("scale"), found.get("stroke"), found.get("bg")]).toEqual([
    "1.5",
    "3px",
    "#ffffff",
  ]);
});

test("every word for whose a number is has a style, of colours that every theme has", () => {
  const whose: Readonly<Record<Whose, true>> = {
    model: true,
    thread: true,
    measured: true,
    published: true,
    derived: true,
    calibrated: true,
    assumed: true,
    stated: true,
  };
  const sheet = readFileSync(new URL("./controls.css", import.meta.url), "utf8");
  const rules = [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  for (const name of Object.keys(whose)) {
    const body = rules
      .filter(([, selectors = ""]) => new RegExp(`\\.chip-${name}\\b`).test(selectors))
      .map(([, , text = ""]) => text);
    expect([name, body.length]).toEqual([name, 1]);
    const colours = [...body.join("").matchAll(/var\(--([\w-]+)\)/g)].map(
      ([, token = ""]) => token,
    );
    for (const theme of THEMES)
      expect([theme, colours.filter((token) => !tokens(theme).has(token))]).toEqual([theme, []]);
  }
});
