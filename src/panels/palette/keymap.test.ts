import { expect, test } from "vitest";
import { COMMANDS, KEYS, pressOf } from "./keymap.ts";

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
  const left = KEYS.flatMap(([, rows]) => rows.filter(({ names }) => names?.length === 0).flatMap(({ keys }) => keys));
  expect(left).toEqual(["/", "Ctrl K", "double-click", "drag", "⇧ drag", "Alt ↑", "Alt ↓", "↵", "Tab ⇥", "Ctrl V"]);
});

test("a printed key is the press it means", () => {
  expect(pressOf("Ctrl ⇧ S")).toEqual({ code: "KeyS", key: "S", shiftKey: true, ctrlKey: true });
  expect(pressOf("⇧ \\")).toEqual({ code: "Backslash", key: "\\", shiftKey: true, ctrlKey: false });
  expect(pressOf("?")).toEqual({ code: "Slash", key: "?", shiftKey: true, ctrlKey: false });
  expect(pressOf("⇧ drag")).toBeUndefined();
});
