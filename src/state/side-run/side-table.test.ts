// The table of a side, without a store, an engine or a clock.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunReport } from "../../engine/gen/types.ts";
import { OTHER_SIDE, type RunRequest } from "../../engine/protocol.ts";
import {
  otherSide,
  perSide,
  SIDES,
  withSide,
  type PerSide,
  type Side,
} from "../../scenario/sides.ts";
import type { RunAction } from "../shape/actions.ts";
import { next, type SideKind } from "./side-table.ts";
import {
  idleSide,
  type EndedRun,
  type SideCommand,
  type SideEvent,
  type SideRun,
} from "./side-run.ts";

function requestOf(seed: number): RunRequest {
  return { slug: "herd", text: "{}", set: [["seed", seed]], maxRecords: 1 };
}

function reportTo(simulated_ns: number): RunReport {
  return { simulated_ns } as unknown as RunReport;
}

const KEPT = { report: reportTo(1_000), meta: {}, trace: {} } as unknown as EndedRun;

type LookUp = "kept" | "under_way" | "unknown";

/** Both sides, with what a page and its engines would do of their commands. */
class Pair {
  runs: PerSide<SideRun> = perSide((side) => idleSide(side, 0));
  wanted: PerSide<RunRequest | undefined> = perSide(() => requestOf(1));
  dragging = false;
  lookUp: LookUp = "unknown";
  readonly did: string[] = [];
  /** The run that a side's engine computes. */
  readonly engines: Record<Side, number | undefined> = { a: undefined, b: undefined };
  readonly asked: Record<Side, RunRequest | undefined> = { a: undefined, b: undefined };
  readonly timers: Record<Side, boolean> = { a: false, b: false };

  send(side: Side, event: SideEvent): void {
    const { state, commands } = next(this.runs[side], event, {
      other: this.runs[otherSide(side)],
      wanted: this.wanted[side],
      otherWanted: this.wanted[otherSide(side)],
      dragging: this.dragging,
    });
    this.runs = withSide(this.runs, side, state);
    for (const command of commands) this.do(side, command);
  }

  /** Gives both sides equal knobs, with this seed. */
  turn(seed: number): void {
    this.wanted = perSide(() => requestOf(seed));
    this.look();
  }

  look(): void {
    for (const side of SIDES) this.send(side, { kind: "changed" });
  }

  say(side: Side, kind: "begun" | "grew" | "reported" | "refused" | "faulted"): void {
    const { run } = this.runs[side];
    this.send(side, { kind, run, action: { type: kind, side, run } as unknown as RunAction });
  }

  end(side: Side, atNs: number, limit?: string): void {
    this.engines[side] = undefined;
    const { run } = this.runs[side];
    this.send(side, { kind: "ended", run, report: reportTo(atNs), limit });
  }

  kinds(): readonly SideKind[] {
    return SIDES.map((side) => this.runs[side].kind);
  }

  do(side: Side, command: SideCommand): void {
    this.did.push(`${side} ${command.type === "dispatch" ? command.action.type : command.type}`);
    switch (command.type) {
      case "tell_other":
        return this.send(otherSide(side), command.event);
      case "set_timer":
        expect(this.timers[side], "one timer at a time").toBe(false);
        this.timers[side] = true;
        return;
      case "clear_timer":
        expect(this.timers[side], "only a timer that runs is cleared").toBe(true);
        this.timers[side] = false;
        return;
      case "look_up":
        this.asked[side] = command.request;
        return this.send(
          side,
          this.lookUp === "kept"
            ? { kind: "kept", found: KEPT }
            : { kind: this.lookUp, foreseen: undefined },
        );
      case "take_over":
      case "start_engine":
        this.engines[side] = command.run;
        return;
      case "cancel_engine":
        this.engines[side] = undefined;
        return;
      case "drop_answers":
      case "dispatch":
        return;
    }
  }
}

function began(): Pair {
  const pair = new Pair();
  pair.look();
  pair.did.length = 0;
  return pair;
}

test("a run is looked for among kept ones before an engine is asked, and its engine's words become actions", () => {
  const pair = new Pair();
  pair.send("a", { kind: "changed" });
  expect(pair.did).toEqual(["a drop_answers", "a look_up", "a run_requested", "a start_engine"]);
  pair.did.length = 0;
  for (const kind of ["begun", "grew", "reported"] as const) pair.say("a", kind);
  pair.end("a", 1_000);
  expect(pair.did).toEqual(["a begun", "a grew", "a reported", "a run_finished"]);
  expect(pair.runs.a.kind).toBe("finished");
});

test("another request while a run goes on starts it anew; the same one leaves it", () => {
  const pair = began();
  pair.look();
  expect(pair.did).toEqual([]);
  pair.turn(2);
  expect(pair.runs.a.run).toBe(2);
  expect(pair.engines).toEqual({ a: 2, b: 2 });
  expect(pair.kinds()).toEqual(["running", "running"]);
});

test("a moving slider waits for its timer, and one that comes back before it leaves the run", () => {
  const pair = began();
  pair.dragging = true;
  pair.turn(2);
  pair.turn(3);
  expect(pair.did, "one timer, however far it moves").toEqual(["a set_timer", "b set_timer"]);
  pair.turn(1);
  expect(pair.timers).toEqual({ a: false, b: false });
  pair.turn(4);
  pair.timers.a = false;
  pair.send("a", { kind: "rested" });
  expect([pair.runs.a.run, pair.runs.b.run]).toEqual([2, 1]);
  pair.dragging = false;
  pair.look();
  expect([pair.runs.a.run, pair.runs.b.run]).toEqual([2, 2]);
});

test("a limit of its own on one side ends the other there, whether that computes or came further", () => {
  for (const ends of [false, true]) {
    const pair = began();
    if (ends) pair.end("b", 1_000);
    pair.end("a", 600, "records");
    expect(pair.kinds()).toEqual(["limited", "running"]);
    expect(pair.asked.b?.untilNs).toBe(600);
    pair.end("b", 600, OTHER_SIDE);
    expect(pair.kinds()).toEqual(["limited", "levelled"]);
  }
});

test("a limit leaves a side alone that came no further or has no run", () => {
  for (const end of [
    (pair: Pair) => pair.end("b", 600),
    (pair: Pair) => pair.say("b", "faulted"),
    (pair: Pair) => pair.send("b", { kind: "stopped" }),
  ]) {
    const pair = began();
    end(pair);
    pair.end("a", 600, "records");
    expect(pair.runs.b.run).toBe(1);
  }
});

test("a side that is turned ends where the other's limit was; if the limited side is turned, both are free", () => {
  const pair = began();
  pair.end("a", 600, "records");
  pair.wanted = { ...pair.wanted, b: requestOf(2) };
  pair.look();
  expect([pair.asked.b?.untilNs, pair.runs.a.run]).toEqual([600, 1]);
  pair.wanted = { ...pair.wanted, a: requestOf(3) };
  pair.look();
  expect([pair.asked.a?.untilNs, pair.asked.b?.untilNs]).toEqual([undefined, undefined]);
  expect(pair.kinds()).toEqual(["running", "running"]);
});

test("a kept run is shown without its engine; one that computes another run is told to stop", () => {
  const pair = began();
  pair.lookUp = "kept";
  pair.wanted = { ...pair.wanted, a: requestOf(2) };
  pair.look();
  expect(pair.did.slice(2)).toEqual([
    "a cancel_engine",
    "a run_requested",
    "a run_meta",
    "a run_finished",
  ]);
  expect(pair.runs.a).toMatchObject({ kind: "adopted", reachedNs: 1_000 });
});

test("a fault and a refusal leave a side until something is asked; again asks for the same", () => {
  const pair = began();
  pair.say("a", "faulted");
  pair.say("b", "refused");
  pair.look();
  expect(pair.kinds()).toEqual(["faulted", "refused"]);
  for (const side of SIDES) pair.send(side, { kind: "again" });
  expect(pair.kinds()).toEqual(["running", "running"]);
});

test("a worker that dies behind its run faults the side", () => {
  const pair = began();
  pair.end("a", 1_000);
  pair.say("a", "faulted");
  expect(pair.runs.a.kind).toBe("faulted");
});

test("rows that are taken in behind a refusal leave the side refused", () => {
  const pair = began();
  pair.say("a", "refused");
  pair.did.length = 0;
  pair.say("a", "grew");
  expect([pair.did, pair.runs.a.kind]).toEqual([[], "refused"]);
});

test("a run that the viewer stops says nothing more, and starts with the next change", () => {
  const pair = began();
  pair.send("a", { kind: "stopped" });
  expect(pair.did).toEqual(["a cancel_engine", "a drop_answers", "a run_cancelled"]);
  pair.did.length = 0;
  pair.end("a", 1_000);
  expect([pair.did, pair.runs.a.kind]).toEqual([[], "cancelled"]);
  pair.turn(2);
  expect(pair.runs.a.kind).toBe("running");
});

test("nothing is asked for while a link is refused; the scenario that is opened then starts both", () => {
  const pair = began();
  pair.dragging = true;
  pair.turn(2);
  pair.wanted = perSide(() => undefined);
  for (const side of SIDES) {
    pair.timers[side] = false;
    pair.send(side, { kind: "rested" });
    pair.send(side, { kind: "again" });
  }
  expect([pair.kinds(), pair.runs.a.run]).toEqual([["running", "running"], 1]);
  for (const side of SIDES) pair.send(side, { kind: "left" });
  expect(pair.kinds()).toEqual(["idle", "idle"]);
  pair.dragging = false;
  pair.turn(2);
  expect([pair.kinds(), pair.runs.a.run]).toEqual([["running", "running"], 2]);
});

/** What may happen to a page whose engines keep their protocol. */
const STORY = fc.array(
  fc.record({
    what: fc.constantFrom(
      ..."turn drag drop leave rest again stop link grow report end limit refuse fault".split(" "),
    ),
    side: fc.constantFrom<Side>("a", "b"),
    number: fc.integer({ min: 1, max: 3 }),
    lookUp: fc.constantFrom<LookUp>("kept", "under_way", "unknown"),
  }),
  { maxLength: 60, size: "max" },
);

function tell(pair: Pair, what: string, side: Side, number: number): void {
  const computes = pair.engines[side] === pair.runs[side].run;
  switch (what) {
    case "turn":
      pair.wanted = { ...pair.wanted, [side]: requestOf(number) };
      return pair.look();
    case "drag":
    case "drop":
      pair.dragging = what === "drag";
      return pair.look();
    case "leave":
      for (const each of SIDES) pair.send(each, { kind: "left" });
      return pair.turn(number);
    case "rest":
      if (!pair.timers[side]) return;
      pair.timers[side] = false;
      return pair.send(side, { kind: "rested" });
    case "again":
      return pair.send(side, { kind: "again" });
    case "stop":
      return pair.send(side, { kind: "stopped" });
    case "link":
      pair.wanted = perSide(() => undefined);
      return;
    default:
      if (computes) hear(pair, what, side, number);
      else if (what === "grow" && pair.runs[side].kind === "refused") pair.say(side, "grew");
  }
}

function hear(pair: Pair, what: string, side: Side, number: number): void {
  const { endNs } = pair.runs[side];
  switch (what) {
    case "grow":
      return pair.say(side, "grew");
    case "report":
      return pair.say(side, "reported");
    case "end":
      return endNs === undefined ? pair.end(side, 1_000) : pair.end(side, endNs, OTHER_SIDE);
    case "limit":
      return pair.end(side, Math.min(number * 100, endNs ?? Infinity), "records");
    default:
      pair.engines[side] = undefined;
      return pair.say(side, what === "refuse" ? "refused" : "faulted");
  }
}

test("whatever happens to a page whose engines keep their protocol, no event comes where it cannot", () => {
  fc.assert(
    fc.property(STORY, (story) => {
      const pair = began();
      for (const { what, side, number, lookUp } of story) {
        pair.lookUp = lookUp;
        tell(pair, what, side, number);
        for (const each of SIDES) {
          const own = pair.runs[each];
          expect(own.kind).not.toBe("prepared");
          expect(own.resting).toBe(pair.timers[each]);
          if (own.kind === "running") expect(pair.engines[each]).toBe(own.run);
        }
      }
    }),
    { numRuns: 300 },
  );
});
