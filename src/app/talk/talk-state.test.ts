// What a clicker's keys do to a talk, and what a speaker's window may ask.

import { expect, test, vi } from "vitest";
import { readAsks, readNews, readStill } from "../../effects/talk/talk-channel.ts";
import { readMessage } from "../../effects/embed/messages.ts";
import { reduceTalk, talkKey, talkStart } from "./talk-state.ts";

test("every key that a clicker sends does something, and a chord stays the browser's", () => {
  const press = (code: string, ctrlKey = false): string | undefined =>
    talkKey({ code, ctrlKey, metaKey: false, altKey: false });
  expect(["PageDown", "PageUp", "KeyB", "Period", "F5"].map((code) => press(code))).toEqual([
    "next",
    "back",
    "black",
    "black",
    "full",
  ]);
  expect(press("Escape")).toBe("leave");
  expect(press("KeyF", true)).toBeUndefined();
});

test("the text grows and shrinks within its sizes", () => {
  let state = talkStart(false);
  for (let press = 0; press < 20; press += 1) state = reduceTalk(state, { type: "scaled", by: 1 });
  const largest = state.scale;
  expect(largest).toBeGreaterThan(1.5);
  for (let press = 0; press < 20; press += 1) state = reduceTalk(state, { type: "scaled", by: -1 });
  expect(state.scale).toBeLessThan(1);
  expect(state.scale).toBeGreaterThan(0.5);
  expect(reduceTalk(state, { type: "rescaled" }).scale).toBe(1);
});

test("messages of other windows are taken by their shape alone", () => {
  const hostile = [
    undefined,
    null,
    1,
    "next",
    [],
    {},
    { ask: "eval" },
    { ask: "go", to: -1 },
    { ask: "go", to: 1.5 },
    { schedscope: "step", n: 0 },
    { schedscope: "step", n: NaN },
  ];
  for (const data of hostile) {
    expect(readAsks(data)).toBeUndefined();
    expect(readNews(data)).toBeUndefined();
    expect(readMessage(data)).toBeUndefined();
  }
  const empty = { caption: "", sentence: "", notes: [], bet: "", choices: [] };
  expect(
    readNews({
      title: "t",
      steps: [{ caption: { toString: 1 }, notes: "all" }, null, { choices: [1] }],
      at: 0,
    })?.steps,
  ).toEqual([empty, empty, { ...empty, choices: [""] }]);
  expect(readMessage({ schedscope: "step", n: 2, more: "ignored" })).toEqual({ ask: "step", n: 2 });
});

test("a picture of a slide is taken by its kind, its number and its size alone", () => {
  class Bitmap {
    readonly width: number;
    readonly height = 540;
    constructor(width = 960) {
      this.width = width;
    }
  }
  vi.stubGlobal("ImageBitmap", Bitmap);
  const picture = new Bitmap();
  expect(readStill({ still: 2, picture })).toEqual({ slide: 2, picture });
  for (const wrong of [
    null,
    { still: 2 },
    { still: 2, picture: "data:image/png;base64,AAAA" },
    { still: -1, picture },
    { still: 1.5, picture },
    { still: 1e9, picture },
    { still: 2, picture: new Bitmap(1e5) },
  ])
    expect(readStill(wrong)).toBeUndefined();
  expect(readAsks({ ask: "still", to: 3 })).toEqual({ ask: "still", to: 3 });
  for (const to of [-1, 0.5, 1e9, "3", undefined])
    expect(readAsks({ ask: "still", to }), String(to)).toBeUndefined();
  vi.unstubAllGlobals();
});
