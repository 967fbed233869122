import { expect, test } from "vitest";
import { chipsOn } from "./queue-line.tsx";

test("as many chips stand as have room; where some have none, so does the number of the rest", () => {
  // Three chips of 20 px with 3 px between them take 66 px.
  expect(chipsOn(66, 3, 20, 30)).toBe(3);
  expect(chipsOn(65, 3, 20, 30), "two would leave no room for the number").toBe(1);
  expect(chipsOn(76, 9, 20, 30)).toBe(2);
  expect(chipsOn(10, 9, 20, 30)).toBe(0);
  expect(chipsOn(-5, 0, 20, 30)).toBe(0);
});
