// Only lanes on top have an order of the viewer's.

import { expect, test } from "vitest";
import { movePin, pinAt } from "./choice.ts";
import { page } from "../../testing/page-state.ts";

test("an order that moves no lane is answered, and the next one that moves a lane takes the answer away", () => {
  const { store } = page();
  const ask = (lanes: string): void => store.dispatch({ type: "lanes_set", lanes });
  const { commits } = store.getState();
  ask(movePin(store.getState().lanes, 5, 1));
  expect(store.getState().reply).toContain("only lanes on top");
  expect(store.getState().commits, "nothing for the history").toBe(commits);
  ask(movePin(store.getState().lanes, 5, -1));
  expect(store.getState()).toMatchObject({ lanes: "p5", reply: undefined });
  ask(pinAt(store.getState().lanes, 7, 0));
  expect(store.getState()).toMatchObject({ lanes: "p7.5", reply: undefined });
});
