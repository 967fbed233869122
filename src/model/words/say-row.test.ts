// The sentence of a row says what the row knows, and no more.

import { expect, test } from "vitest";
import { FIELD, KIND, NO_CPU, NONE, VECTORS } from "../../engine/gen/catalogue.ts";
import {
  KICK_OUTCOME_ALREADY_OWNED,
  KICK_OUTCOME_NO_TARGET,
  KICK_OUTCOME_SENT,
  LIVE_WRITE_SIGNAL,
  SLACK_TIMER_ARMED,
  SLACK_TIMER_FIRED,
  SLACK_TIMER_IDLE,
  SLACK_TIMER_NEAR,
  UNTHROTTLE_CONFIG,
  UNTHROTTLE_PERIOD,
} from "../../engine/gen/codes.ts";
import { fieldPut } from "../../lib/bit-field.ts";
import { shapeOf } from "../trace/trace-text.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { sayRow } from "./say-row.ts";

const SHAPE = {
  ...shapeOf(4, 4),
  objects: [
    { id: 5, sort: "mutex", name: "m" },
    { id: 7, sort: "list", name: "list 0" },
  ],
};
const say = (kind: number, a: number, b: number): string =>
  sayRow(new TraceStore(SHAPE), { kind, cpu: 3, a, b });

const WORDS_OF_VECTOR: Readonly<Record<(typeof VECTORS)[number]["name"], string>> = {
  local_timer: "local timer",
  reschedule: "reschedule",
  call_function_single: "function-call",
  device: "device",
  irq_work: "irq_work",
};

test("a task that waits on no object is suspended and resumed; one that waits on an object names the object", () => {
  expect(say(KIND.ObjectWait, 1, NONE)).toBe("CPU 3 suspends t1");
  expect(say(KIND.ObjectWake, 1, NONE)).toBe("CPU 3 resumes t1");
  expect(say(KIND.ObjectWait, 1, 5)).toBe("CPU 3 blocks t1 on mutex m");
  expect(say(KIND.ObjectWake, 1, 5)).toBe("CPU 3 ends the wait of t1 for mutex m");
});

test("an object whose name begins with its sort is named once", () => {
  expect(say(KIND.ObjectWait, 1, 7)).toBe("CPU 3 blocks t1 on list 0");
});

test("an object that the run does not list has its number, not the name of nothing", () => {
  expect(say(KIND.ObjectWait, 1, 6)).toBe("CPU 3 blocks t1 on object 6");
  expect(say(KIND.MutexOwner, 6, 1)).toBe("CPU 3 sees t1 take object 6");
  expect(say(KIND.MutexOwner, 5, NONE)).toBe("CPU 3 releases mutex m");
});

test("only a kick that left is called a kick, and each says why", () => {
  const row = (target: number, outcome: number): number =>
    fieldPut(FIELD.KickTarget, target) +
    fieldPut(FIELD.KickReasons, 1) +
    fieldPut(FIELD.KickOutcome, outcome);
  expect(say(KIND.NohzKick, row(2, KICK_OUTCOME_SENT), 5_000)).toBe(
    "CPU 3 kicks CPU 2, idle for 5 µs, for idle balancing (balance): an IPI was sent",
  );
  expect(say(KIND.NohzKick, row(2, KICK_OUTCOME_ALREADY_OWNED), 5_000)).toMatch(
    /^CPU 3 does not kick CPU 2/,
  );
  expect(say(KIND.NohzKick, row(NO_CPU, KICK_OUTCOME_NO_TARGET), 0)).toBe(
    "CPU 3 finds no idle CPU to kick for idle balancing (balance)",
  );
});

test("an RT push chain has its number alone: whether that is a CPU or a root domain the version decides", () => {
  expect(say(KIND.RtoHop, 1, 0)).toBe("CPU 3 passes RT push chain 0 on to CPU 1");
});

test("a walk of the RT push chain that finds nobody is not called its end: the same CPU may begin another walk at once", () => {
  expect(say(KIND.RtoHop, NONE, 0)).toBe("CPU 3 finds no further CPU for RT push chain 0");
});

test("one of a thing is one: CPUs that are RT-overloaded, idle CPUs that were looked at", () => {
  expect(say(KIND.RtoSet, 1, 0)).toBe("CPU 3 becomes RT-overloaded: 1 such CPU in root domain 0");
  expect(say(KIND.RtoClear, 0, 0)).toBe(
    "CPU 3 is no longer RT-overloaded: 0 such CPUs in root domain 0",
  );
  expect(say(KIND.NohzRunEnd, 1, 1)).toBe("CPU 3 has looked at 1 idle CPU, cut short");
  expect(say(KIND.NohzRunEnd, 4, 0)).toBe("CPU 3 has looked at 4 idle CPUs");
});

test("an interrupt whose handler begins as it arrives is taken at once, as its tooltip says", () => {
  expect(say(KIND.IrqEntry, 0, 0)).toBe(
    "CPU 3 enters the local timer interrupt handler as the interrupt arrives",
  );
  expect(say(KIND.IrqEntry, 0, 1_250)).toBe(
    "CPU 3 enters the local timer interrupt handler 1.25 µs after the interrupt arrived",
  );
});

test("a silo below zero is a debt", () => {
  expect(say(KIND.BwSilo, 0, 2 ** 32 - 27_731)).toMatch(
    /^CPU 3 sets its silo of group .+ to a debt of 27.731 µs$/,
  );
  expect(say(KIND.BwSilo, 0, 230_321)).toMatch(/^CPU 3 sets its silo of group .+ to 230.321 µs$/);
});

test("an empty pool is called empty, a skipped slack timer says why, and no copy is named where none was made", () => {
  expect(say(KIND.BwTake, 0, 0)).toMatch(/^CPU 3 finds the pool of group .+ empty$/);
  expect(say(KIND.BwTake, 0, 5_000_000)).toMatch(/^CPU 3 takes 5 ms from the pool of group /);
  expect([0, 1, 2].map((why) => say(KIND.BwSlackSkip, 0, why).split(": ")[1])).toEqual([
    "a refill comes within 7 ms",
    "the refill is under way",
    "it is armed already",
  ]);
  expect(say(KIND.BwDistEnd, 0, 0)).not.toContain("copy");
  expect(say(KIND.BwDistEnd, 0, 1_000)).toContain("1 µs handed out of a copy of the pool");
});

test("a CPU throttles and unthrottles its own queue of a group, not the group", () => {
  expect(say(KIND.BwThrottle, 0, 2_000)).toMatch(
    /^CPU 3 throttles its queue of group .+, which owes 2 µs$/,
  );
  expect(say(KIND.BwUnthrottle, 0, 1)).toMatch(
    /^CPU 3 unthrottles its queue of group .+ by the slack timer$/,
  );
});

test("each number of a code has the words of its name", () => {
  const by = (kind: number, b: number): string => say(kind, 0, b);
  expect(by(KIND.BwUnthrottle, UNTHROTTLE_PERIOD)).toContain("by the period timer");
  expect(by(KIND.BwUnthrottle, UNTHROTTLE_CONFIG)).toContain("by a write");
  expect(by(KIND.BwSlack, SLACK_TIMER_ARMED)).toContain("CPU 3 arms the slack timer of");
  expect(by(KIND.BwSlack, SLACK_TIMER_FIRED)).toContain("CPU 3 runs the slack timer of");
  expect(by(KIND.BwSlack, SLACK_TIMER_IDLE)).toContain("without effect");
  expect(by(KIND.BwSlack, SLACK_TIMER_NEAR)).toContain("too close to a refill");
  expect(by(KIND.LiveChange, LIVE_WRITE_SIGNAL)).toMatch(
    /^CPU 3 ends the sleep of .+ by a signal$/,
  );
  expect(by(KIND.LiveChange, 9)).toBe("CPU 3 carries out a live change");
  VECTORS.forEach(({ name }, vector) => {
    expect(by(KIND.IpiSend, vector)).toContain(`sends a ${WORDS_OF_VECTOR[name]} IPI to`);
  });
});

test("a time that does not fit its column is a lower bound", () => {
  expect(say(KIND.WakeDone, 1, 2 ** 32 - 1)).toBe(
    "CPU 3 runs t1, 4.295 s or more after it was due",
  );
  expect(say(KIND.WakeDone, 1, 12_000)).toBe("CPU 3 runs t1, 12 µs after it was due");
});

test("a softirq has the kernel's name, and one item is one", () => {
  expect(say(KIND.SoftirqRaise, 7, 1)).toBe("CPU 3 raises softirq SCHED, 1 item queued");
  expect(say(KIND.SoftirqRaise, 2, 3)).toBe("CPU 3 raises softirq 2, 3 items queued");
});

test("a softirq that counts no items is said to have none nowhere: its work is no list", () => {
  expect(say(KIND.SoftirqRaise, 7, 0)).toBe("CPU 3 raises softirq SCHED");
  expect(say(KIND.SoftirqEntry, 7, 0)).toBe("CPU 3 starts softirq SCHED");
  expect(say(KIND.SoftirqExit, 7, 0)).toBe("CPU 3 ends softirq SCHED");
});
