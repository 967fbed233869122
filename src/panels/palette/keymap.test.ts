import { expect, test } from "vitest";
import { matching } from "../../lib/match.ts";
import { initialState } from "../../state/shape/state.ts";
import { HERD } from "../../testing/page-state.ts";
import { blockedBy } from "./blocked-keys.ts";
import { COMMANDS, KEYS, pressOf } from "./keymap.ts";
import { metricCommands, pageCommands } from "./page-commands.ts";

test("every command has a name and a key that can be pressed, and no key or name stands there twice", () => {
  expect(COMMANDS.length).toBeGreaterThan(25);
  for (const { key, name } of COMMANDS) {
    expect(name).not.toBe("");
    expect(pressOf(key), `${name}: ${key}`).toBeDefined();
  }
  expect(new Set(COMMANDS.map(({ key }) => key)).size).toBe(COMMANDS.length);
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
});

test("every row of the map that a key alone can do is a command: what needs the pointer, a lane in focus or the clipboard is not", () => {
  const left = KEYS.flatMap(([, rows]) =>
    rows.filter(({ names }) => names?.length === 0).flatMap(({ keys }) => keys),
  );
  expect(left).toEqual([
    "/",
    "Ctrl K",
    "double-click",
    "drag",
    "⇧ drag",
    "Alt ↑",
    "Alt ↓",
    "↵",
    "Tab ⇥",
    "Ctrl V",
  ]);
});

test("a printed key is the press it means", () => {
  expect(pressOf("Ctrl ⇧ S")).toEqual({ code: "KeyS", key: "S", shiftKey: true, ctrlKey: true });
  expect(pressOf("⇧ \\")).toEqual({ code: "Backslash", key: "\\", shiftKey: true, ctrlKey: false });
  expect(pressOf("?")).toEqual({ code: "Slash", key: "?", shiftKey: true, ctrlKey: false });
  expect(pressOf("⇧ drag")).toBeUndefined();
});

test("a figure of the headline is found by its path and by its words", () => {
  const figures = metricCommands(initialState(HERD, "dark"));
  expect(figures).toHaveLength(HERD.headline.length);
  for (const query of ["cyclictest maximum", "latency.cyclictest.max_ns", "figure cyclictest"])
    expect(matching(query, figures).items.map(({ way }) => way.at(-1))).toContain(
      "headline-latency.cyclictest.max_ns",
    );
});

test("commands of the page are named once, not as a key's are, and other words find them", () => {
  const named = COMMANDS.map(({ name }) => name);
  const commands = pageCommands({ ...initialState(HERD, "dark"), area: { fromNs: 0, toNs: 1 } });
  const names = commands.map(({ name }) => name);
  expect(names.filter((name) => named.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      "Share this comparison",
      "Sweep",
      "Why",
      "Latency",
      "Story",
      "Numbers",
      "Sources",
    ]),
  );
  const found = (query: string): readonly string[] =>
    matching(query, [...commands, ...COMMANDS]).items.map(({ name }) => name);
  expect(found("link")).toContain("Share this comparison");
  expect(found("export")).toContain("save a picture, a film or the run");
  expect(
    ["qr", "film", "editor", "gallery", "swap", "undo", "csv"].map((query) => found(query)[0]),
  ).toEqual([
    "QR code",
    "save a picture, a film or the run",
    "Form and text",
    "All questions",
    "A and B exchange what they run",
    "undo",
    "Numbers as CSV",
  ]);
  expect(found("breakpoint").length).toBeGreaterThan(3);
});

test("a key that would do nothing says why", () => {
  const state = initialState(HERD, "dark");
  expect(blockedBy(state, "Ctrl Z")).toBe("There is nothing to undo.");
  expect(blockedBy(state, "M")).toContain("choose a wake-up first");
  expect(blockedBy(state, "⇧ M")).toContain("choose a wake-up or an area first");
  expect(blockedBy({ ...state, area: { fromNs: 0, toNs: 1 } }, "⇧ M")).toBeUndefined();
  expect(blockedBy(state, "V")).toBeUndefined();
  expect(blockedBy(state, "Space")).toBeUndefined();
});
