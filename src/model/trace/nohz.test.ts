import { expect, test } from "vitest";
import { FIELD, KIND, NONE } from "../../engine/gen/catalogue.ts";
import {
  KICK_OUTCOME_ALREADY_OWNED,
  KICK_OUTCOME_NO_TARGET,
  KICK_OUTCOME_POLLING,
  KICK_OUTCOME_SENT,
  KICK_REASON_BALANCE,
  KICK_REASON_NEXT_BALANCE,
  VECTOR_CALL_FUNCTION_SINGLE,
} from "../../engine/gen/codes.ts";
import { fieldPut } from "../../lib/bit-field.ts";
import { describeKick } from "../words/describe-quota.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "./trace-text.ts";
import type { Row } from "./trace-text.ts";
import { countReads } from "../../lib/testing.ts";
import type { Column } from "../../lib/column.ts";
import { TraceStore } from "./trace-store.ts";

function kick(
  ns: number,
  cpu: number,
  target: number,
  reasons: number,
  outcome: number,
  idleNs: number,
): Row {
  return {
    ns,
    kind: KIND.NohzKick,
    cpu,
    a:
      fieldPut(FIELD.KickTarget, target) +
      fieldPut(FIELD.KickReasons, reasons) +
      fieldPut(FIELD.KickOutcome, outcome),
    b: idleNs,
  };
}

function storeOf(rows: readonly Row[], endNs = 10_000): TraceStore {
  const store = new TraceStore(shapeOf(4, 1, endNs));
  store.append(endNs, traceChunk(rows), wakeChunk([]));
  return store;
}

const arrive = (
  ns: number,
  cpu: number,
  sender: number,
  flight: number,
  vector = VECTOR_CALL_FUNCTION_SINGLE,
): Row => ({
  ns,
  kind: KIND.IpiArrive,
  cpu,
  a: fieldPut(FIELD.IpiSender, sender) + fieldPut(FIELD.IpiVector, vector),
  b: flight,
});

test("a kick knows its target, its reasons, the target's idle time and when the IPI woke it", () => {
  const { kicks } = storeOf([
    kick(1000, 0, 2, KICK_REASON_BALANCE + KICK_REASON_NEXT_BALANCE, KICK_OUTCOME_SENT, 4_000_000),
    arrive(1700, 2, 0, 700),
  ]);
  expect(kicks.list(0, 9999)).toEqual([
    {
      ns: 1000,
      cpu: 0,
      target: 2,
      reasons: 9,
      outcome: KICK_OUTCOME_SENT,
      idleNs: 4_000_000,
      wokeNs: 1700,
    },
  ]);
});

test("IPIs of another sender, of another kind or sent before are not the kick's", () => {
  const sent = kick(1000, 0, 2, 1, KICK_OUTCOME_SENT, 5);
  for (const other of [
    arrive(1500, 2, 1, 500),
    arrive(1500, 2, 0, 500, 1),
    arrive(1500, 2, 0, 900),
    arrive(1500, 3, 0, 500),
  ]) {
    expect(storeOf([sent, other]).kicks.list(0, 9999)[0]?.wokeNs).toBeUndefined();
  }
});

test("a polling target knows at once; one under way already and none at all wake nobody", () => {
  const { kicks } = storeOf([
    kick(10, 0, 1, 1, KICK_OUTCOME_POLLING, 7),
    kick(20, 0, 1, 8, KICK_OUTCOME_ALREADY_OWNED, 9),
    kick(30, 0, 65_535, 1, KICK_OUTCOME_NO_TARGET, 0),
  ]);
  expect(kicks.list(0, 100).map(({ target, wokeNs }) => [target, wokeNs])).toEqual([
    [1, 10],
    [1, undefined],
    [undefined, undefined],
  ]);
});

test("a kick is found where it was made, and while its IPI is under way", () => {
  const { kicks } = storeOf([
    kick(1000, 0, 2, 1, KICK_OUTCOME_SENT, 5),
    arrive(1700, 2, 0, 700),
    kick(5000, 1, 2, 2, KICK_OUTCOME_SENT, 6),
    arrive(5600, 2, 1, 600),
  ]);
  expect([kicks.madeAt(0, 1000)?.wokeNs, kicks.madeAt(1, 5000)?.wokeNs]).toEqual([1700, 5600]);
  expect([kicks.madeAt(2, 1000), kicks.madeAt(0, 1001)]).toEqual([undefined, undefined]);
  expect(kicks.longestFlightNs).toBe(700);
  expect(kicks.list(1200, 1300).map(({ ns }) => ns)).toEqual([1000]);
});

test("CPUs are in the mask from the start, leave it at a busy tick and come back when their tick stops", () => {
  const { kicks } = storeOf(rowsFrom("100 cpu1 exit 3\n400 cpu1 enter 4\n700 cpu2 exit 3"), 1000);
  const seen: (readonly number[])[] = [];
  kicks.visitMask(0, 1000, 1000, (from, to, cpu) => seen.push([cpu, from, to]));
  expect(seen).toEqual([
    [1, 0, 100],
    [2, 0, 700],
    [1, 400, 1000],
  ]);
});

test("words of a kick say who asked whom, why, and how long it had been idle", () => {
  const store = storeOf([
    kick(1000, 0, 2, 11, KICK_OUTCOME_SENT, 12_000),
    arrive(1700, 2, 0, 700),
    kick(9000, 1, 65_535, 1, KICK_OUTCOME_NO_TARGET, 0),
  ]);
  const [first, last] = store.kicks.list(0, 9999);
  if (first === undefined || last === undefined) throw new Error("two kicks");
  expect(describeKick(first)).toEqual([
    "kick: the tick of CPU 0 asks CPU 2 to balance for the idle CPUs",
    "why: balance, refresh blocked load, bring next_balance up to date",
    "woke it 700 ns later, after 12 µs of idleness",
  ]);
  expect(describeKick(last)).toEqual([
    "kick: the tick of CPU 1 finds no idle CPU to balance for the idle ones",
    "why: balance",
  ]);
  expect(NONE).toBe(4_294_967_295);
});

test("a thousand kicks of one instant, asked for in order, are found without a search through those before", () => {
  const rows = Array.from({ length: 1_000 }, (_, cpu) =>
    kick(1_000, cpu, (cpu + 1) % 1_000, KICK_REASON_BALANCE, KICK_OUTCOME_SENT, 0),
  );
  const store = new TraceStore(shapeOf(1_000, 1, 10_000));
  store.append(10_000, traceChunk(rows), wakeChunk([]));
  const reads = countReads((store.kicks as unknown as { readonly cpus: Column<Uint16Array> }).cpus);
  const targets = rows.map((_, cpu) => store.kicks.madeAt(cpu, 1_000)?.target);
  expect(reads.end()).toBeLessThan(5 * rows.length);
  expect(targets).toEqual(rows.map((_, cpu) => (cpu + 1) % 1_000));
  expect(store.kicks.madeAt(7, 1_000)?.cpu).toBe(7);
  expect(store.kicks.madeAt(7, 999)).toBeUndefined();
});
