// What the window says of branches, and what a page that opens the link has of them: writes in,
// words and runs out.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { keepBranches } from "../../effects/branches/keep-branches.ts";
import { contentOf, openContent } from "../../state/link/link-state.ts";
import { readLink, writeAddress } from "../../links/link.ts";
import { requestFor } from "../../state/select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { meta, page, PUSH, report } from "../../testing/page-state.ts";
import { liveWords } from "./live-words.ts";

/** A page that runs whatever is asked to its end. */
function started() {
  const { store, engines } = page();
  keepBranches(store);
  const finish = (): void => {
    for (const side of SIDES) {
      if (store.getState().sides[side].status.kind !== "computing") continue;
      engines[side].last.listener.onMeta(meta());
      engines[side].last.listener.onFinished(report(1), undefined);
    }
  };
  finish();
  const write = (where: Side, atNs: number): void => {
    store.dispatch({ type: "knob_live_set", change: { where, path: PUSH, value: "on", atNs } });
    finish();
  };
  return { store, finish, write };
}

const HELD = "The link and the commands include the changes made during the runs of A and B.";

test("nothing is said of branches where nothing was written", () => {
  expect(liveWords(started().store.getState())).toBeUndefined();
});

test("the window counts the branches that are not in the link, and the page that opens the link has the others", () => {
  const { store, finish, write } = started();
  write("a", 500);
  write("a", 700);
  write("b", 300);
  expect(store.getState().branches.list).toHaveLength(5);
  const left = (words: string): string =>
    `The link and the commands do not include ${words} of this page: put a branch on A or B to share it.`;
  expect(liveWords(store.getState())).toBe(`${HELD} ${left("3 other branches")}`);

  const link = readLink(writeAddress(contentOf(store.getState())) ?? "");
  if (!link.ok) throw new Error(link.problem.code);
  const other = started();
  other.store.dispatch({
    type: "opened",
    route: "preset",
    opened: openContent(link.content, store.getState().entry, KNOBS),
  });
  other.finish();
  for (const side of SIDES)
    expect(requestFor(other.store.getState(), side)).toEqual(requestFor(store.getState(), side));
  expect(other.store.getState().branches.list.map(({ changes }) => changes.length)).toEqual([2, 1]);
  expect(liveWords(other.store.getState())).toBe(HELD);

  for (let times = 0; times < 3; times += 1) store.dispatch({ type: "undone" });
  finish();
  expect(liveWords(store.getState()), "nothing of it is on A or B").toBe(left("3 other branches"));
});
