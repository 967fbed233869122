import fc from "fast-check";
import { expect, test } from "vitest";
import type { LiveChange } from "../../scenario/knob-sets.ts";
import { liveOn, NO_KNOBS } from "../../scenario/knob-sets.ts";
import { requestFor, sameRequest } from "../select/selectors.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import { meta, page, PUSH, report, setKnob } from "../../testing/page-state.ts";
import { BRANCHES_MAX, without } from "./branches.ts";
import { keepBranches } from "../../effects/branches/keep-branches.ts";
import { inOrder, shownOn, sidesOf } from "./show.ts";

/**
 * A page whose sides have run, and which runs whatever is asked to its end: the deepest queue
 * counts the runs.
 */
function started() {
  const { store, engines } = page();
  keepBranches(store);
  let runs = 0;
  const run = (side: Side): void => {
    if (store.getState().sides[side].status.kind !== "computing") return;
    const { listener } = engines[side].last;
    listener.onMeta(meta());
    runs += 1;
    listener.onFinished(report(runs), undefined);
  };
  const finish = (): void => SIDES.forEach(run);
  /** The run of a side meets a limit there. */
  const cut = (side: Side, simulated_ns: number): void => {
    const { listener } = engines[side].last;
    listener.onMeta(meta());
    listener.onFinished({ ...report(9), simulated_ns, complete: false }, "records");
  };
  finish();
  const write = (change: Partial<LiveChange>): void => {
    store.dispatch({
      type: "knob_live_set",
      change: { where: "a", path: PUSH, value: "on", atNs: 500, ...change },
    });
    finish();
  };
  const listed = () => inOrder(store.getState().branches, store.getState().entry.text);
  const numbers = (): readonly string[] =>
    listed().map(({ branch, depth }) => `${"-".repeat(depth)}${branch.id}`);
  const branch = (id: number) => {
    const found = listed().find((each) => each.branch.id === id)?.branch;
    if (found === undefined) throw new Error(`no branch ${id}`);
    return found;
  };
  const show = (side: Side, id: number): void => {
    const { entry, knobs } = store.getState();
    store.dispatch({ type: "branch_shown", knobs: shownOn(entry, knobs, side, branch(id)) });
    finish();
  };
  const on = (id: number): readonly Side[] =>
    sidesOf(store.getState().entry, store.getState().knobs, branch(id));
  return { store, write, finish, cut, listed, numbers, branch, show, on };
}

test("branches are numbered by their side, whichever of two runs the machine ends first", () => {
  const numbered = (order: readonly Side[]) => {
    const { store, engines } = page();
    keepBranches(store);
    const run = (side: Side, nth: number): void => {
      engines[side].last.listener.onMeta(meta());
      engines[side].last.listener.onFinished(report(nth), undefined);
    };
    SIDES.forEach((side) => run(side, 1));
    store.dispatch({
      type: "knob_live_set",
      change: { where: "both", path: PUSH, value: "on", atNs: 500 },
    });
    for (const side of order) run(side, 2);
    const { branches, entry, knobs } = store.getState();
    return branches.list.map((each) => [each.id, each.changes.length, sidesOf(entry, knobs, each)]);
  };
  expect(numbered(["b", "a"])).toEqual(numbered(["a", "b"]));
  expect(numbered(["b", "a"])).toEqual([
    [1, 0, []],
    [2, 1, ["a"]],
    [3, 0, []],
    [4, 1, ["b"]],
  ]);
});

test("nothing is listed before something is written; then the history it was written to, and the one it made", () => {
  const { store, write, finish, numbers, branch, on } = started();
  setKnob(store, "both", "machine.cpus", 8);
  finish();
  expect(numbers()).toEqual([]);
  write({ atNs: 500 });
  expect(numbers()).toEqual(["1", "-2"]);
  expect([branch(1).changes, branch(2).changes, branch(2).parent, branch(2).fromNs]).toEqual([
    [],
    [[500, PUSH, "on"]],
    1,
    500,
  ]);
  expect([on(1), on(2)]).toEqual([[], ["a"]]);
  expect(branch(2).figures, "what it came to").not.toEqual(branch(1).figures);
});

test("a branch belongs to the one it was made from, and differs from it since the first other write", () => {
  const { store, write, numbers, branch, show } = started();
  write({ atNs: 500 });
  write({ atNs: 700, value: "off" });
  show("a", 1);
  write({ atNs: 300 });
  expect(numbers()).toEqual(["1", "-2", "--3", "-4"]);
  expect([branch(3).fromNs, branch(4).fromNs]).toEqual([700, 300]);
  store.dispatch({ type: "branches_changed", branches: without(store.getState().branches, 2) });
  expect(numbers()).toEqual(["1", "-3", "-4"]);
  expect(branch(3).fromNs, "what was made from it is its parent's").toBe(500);
});

test("any branch can be put on either side; the other side's run stays, undo takes it back, and a link has what is shown", () => {
  const { store, write, show, on } = started();
  write({ atNs: 500, where: "both" });
  write({ atNs: 700, value: "off" });
  for (const id of [1, 2, 3]) {
    for (const side of SIDES) {
      const before = store.getState();
      const other = requestFor(before, otherSide(side));
      const steps = before.undo.past.length;
      show(side, id);
      const after = store.getState();
      expect(on(id), `branch ${id} on ${side}`).toContain(side);
      expect(
        sameRequest(requestFor(after, otherSide(side)), other),
        "the other side is left alone",
      ).toBe(true);
      expect(after.undo.past).toHaveLength(steps + 1);
      store.dispatch({ type: "undone" });
      expect(store.getState().knobs).toEqual(before.knobs);
    }
  }
});

test("a write that both sides have at one instant is one write of both", () => {
  const { store, write, show } = started();
  write({ atNs: 500, where: "b" });
  const id = Math.max(...store.getState().branches.list.map((each) => each.id));
  show("a", id);
  expect(store.getState().knobs.live).toEqual([
    { where: "both", path: PUSH, value: "on", atNs: 500 },
  ]);
  show("b", 1);
  expect(SIDES.map((side) => liveOn(store.getState().knobs, side).length)).toEqual([1, 0]);
});

test("a history that comes about again is the branch it was, and undo makes none", () => {
  const { store, write, finish, numbers } = started();
  write({ atNs: 500 });
  store.dispatch({ type: "undone" });
  finish();
  write({ atNs: 500 });
  expect(numbers()).toEqual(["1", "-2"]);
});

test("the list is bounded, keeps what is on screen, and drops what was on screen longest ago, not what was made first", () => {
  const { store, write, show, on } = started();
  for (let at = 1; at < BRANCHES_MAX; at += 1) write({ atNs: at });
  const ids = (): readonly number[] => store.getState().branches.list.map(({ id }) => id);
  expect(ids()).toHaveLength(BRANCHES_MAX);
  show("a", 2);
  show("a", BRANCHES_MAX);
  write({ atNs: 500_000 });
  expect([ids().includes(1), ids().includes(2), store.getState().branches.goneId]).toEqual([
    false,
    true,
    1,
  ]);
  write({ atNs: 500_001 });
  expect([ids().includes(2), ids().includes(3)], "2 was looked at again, 3 was not").toEqual([
    true,
    false,
  ]);
  show("b", 2);
  for (let at = 1; at <= 2 * BRANCHES_MAX; at += 1) write({ atNs: 600_000 + at });
  expect(ids()).toHaveLength(BRANCHES_MAX);
  expect(ids().filter((id) => on(id).length > 0)).toEqual([2, ids().at(-1)]);
});

test("a run that a limit cut short has its figures marked, and they give way to those of the whole run, not the other way round", () => {
  const { store, cut, finish, branch } = started();
  const change: LiveChange = { where: "a", path: PUSH, value: "on", atNs: 500 };
  store.dispatch({ type: "knob_live_set", change });
  SIDES.forEach((side) => cut(side, 400_000));
  expect(branch(2).onlyToNs).toBe(400_000);
  store.dispatch({ type: "undone" });
  finish();
  store.dispatch({ type: "knob_live_set", change });
  finish();
  const { figures } = branch(2);
  expect(branch(2).onlyToNs).toBeUndefined();
  store.dispatch({ type: "undone" });
  finish();
  store.dispatch({ type: "knob_live_set", change });
  SIDES.forEach((side) => cut(side, 300_000));
  expect([branch(2).figures, branch(2).onlyToNs]).toEqual([figures, undefined]);
});

/** Writes of these names at one instant or a later one, for a side. */
const writes = fc.array(
  fc.record({
    path: fc.constantFrom("kernel.hz", PUSH, "kernel.version"),
    atNs: fc.constantFrom(500, 700),
  }),
  {
    maxLength: 5,
  },
);

test("writes of one instant keep their order on both sides when a branch is put on one of them", () => {
  const { store } = started();
  const { entry } = store.getState();
  fc.assert(
    fc.property(writes, writes, fc.constantFrom(...SIDES), (mine, theirs, side) => {
      const timed = (list: typeof mine): typeof mine =>
        [...list].sort((one, other) => one.atNs - other.atNs);
      const changes = timed(mine).map(({ atNs, path }) => [atNs, path, "on"] as const);
      const live = timed(theirs).map(({ atNs, path }): LiveChange => ({
        where: otherSide(side),
        path,
        value: "on",
        atNs,
      }));
      const branch = {
        id: 1,
        text: "",
        set: [],
        changes,
        parent: undefined,
        fromNs: undefined,
        figures: [],
        onlyToNs: undefined,
        usedAt: 1,
      };
      const joined = shownOn(entry, { ...NO_KNOBS, live }, side, branch);
      const on = (each: Side) =>
        liveOn(joined, each).map(({ atNs, path, value }) => [atNs, path, value]);
      expect(on(side)).toEqual(changes);
      expect(on(otherSide(side))).toEqual(live.map(({ atNs, path, value }) => [atNs, path, value]));
    }),
  );
});
