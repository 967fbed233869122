// The talk with Perfetto's page: a window that the test drives takes that page's place.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ANSWER_WITHIN_MS, handOver, type Opened, type PerfettoTrace } from "./hand-over.ts";

const ORIGIN = "https://perfetto.test";

class FakeWindow implements Opened {
  closed = false;
  readonly got: { readonly message: unknown; readonly origin: string }[] = [];
  postMessage(message: unknown, origin: string): void {
    this.got.push({ message, origin });
  }
  get pings(): number {
    return this.got.filter(({ message }) => message === "PING").length;
  }
  /** What is no question. */
  get given(): readonly unknown[] {
    return this.got.filter(({ message }) => message !== "PING");
  }
}

function aTrace(): PerfettoTrace {
  return { buffer: new ArrayBuffer(3), title: "rt-pull-herd", fileName: "rt-pull-herd-ab.pftrace" };
}

function start(make: () => Promise<PerfettoTrace> = () => Promise.resolve(aTrace())) {
  const here = new EventTarget();
  const there = new FakeWindow();
  const controller = new AbortController();
  const ends = { here: here as unknown as Window, there, origin: ORIGIN };
  let making: AbortSignal | undefined;
  const handed = handOver(
    ends,
    (signal) => {
      making = signal;
      return make();
    },
    controller.signal,
  );
  const outcome = handed.then(
    () => "given",
    (error: unknown) => (error as Error).message,
  );
  const say = (data: unknown, origin = ORIGIN, source: unknown = there): void =>
    void here.dispatchEvent(Object.assign(new Event("message"), { data, origin, source }));
  return { there, say, outcome, cancel: () => controller.abort(), isEnded: () => making?.aborted };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Perfetto is asked until it answers, and is given the trace once, by its origin", async () => {
  const { there, say, outcome } = start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(there.pings).toBe(5);
  say("PONG");
  say("PONG");
  expect(await outcome).toBe("given");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(there.pings).toBe(5);
  expect(there.given).toEqual([{ message: { perfetto: aTrace() }, origin: ORIGIN }]);
});

test("an answer of another origin, of another window or of other words gives nothing away", async () => {
  const { there, say, outcome, cancel } = start();
  say("PONG", "https://perfetto.test.example.org");
  say("PONG", ORIGIN, new FakeWindow());
  say({ perfetto: "PONG" });
  say("PING");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(there.given).toEqual([]);
  expect(there.pings).toBe(10);
  cancel();
  await outcome;
  say("PONG");
  expect(there.given).toEqual([]);
});

test("a page that does not answer is given up, and the making of the trace ends", async () => {
  const { there, outcome, isEnded } = start(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS);
  expect(await outcome).toMatch(/^https:\/\/perfetto\.test did not answer within 60 s\. Check/);
  expect(isEnded()).toBe(true);
  const { pings } = there;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(there.pings).toBe(pings);
});

test("a window that is closed before or after its answer is said to be closed", async () => {
  const early = start();
  early.there.closed = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await early.outcome).toMatch(/^the window of https:\/\/perfetto\.test is closed/);
  let made: (trace: PerfettoTrace) => void = () => undefined;
  const late = start(() => new Promise((done) => (made = done)));
  late.say("PONG");
  late.there.closed = true;
  made(aTrace());
  expect(await late.outcome).toMatch(/is closed/);
  expect(late.there.given).toEqual([]);
});

test("a trace that cannot be made ends the questions, with the writer's sentence", async () => {
  const { there, outcome } = start(() => Promise.reject(new Error("this run has no cyclictest")));
  expect(await outcome).toBe("this run has no cyclictest");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(there.pings).toBe(0);
});
