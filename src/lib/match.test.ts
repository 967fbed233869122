import { expect, test } from "vitest";
import { matching } from "./match.ts";

const thing = (name: string, also = ""): { readonly name: string; readonly also: string } => ({
  name,
  also,
});
const THINGS = [
  thing("refills: next", "mark"),
  thing("CPU 1"),
  thing("CPU 12"),
  thing("rq 12 lock"),
  thing("throttled stretches: next", "mark"),
  thing("RT_PUSH_IPI", "kernel.rt_push_ipi pulls by sending an IPI"),
];
const names = (query: string): readonly string[] =>
  matching(query, THINGS).items.map(({ name }) => name);

test("without a word everything is there, in its order", () => {
  expect(names(" ")).toEqual(THINGS.map(({ name }) => name));
});

test("every word must be there, in any order and any case", () => {
  expect(names("NEXT refill")).toEqual(["refills: next"]);
  expect(names("lock 12")).toEqual(["rq 12 lock"]);
  expect(names("lock 13")).toEqual([]);
});

test("a whole name comes before a longer one, a name before other words", () => {
  expect(names("cpu 1")).toEqual(["CPU 1", "CPU 12"]);
  expect(names("push_ipi")).toEqual(["RT_PUSH_IPI"]);
  expect(names("pull")).toEqual(["RT_PUSH_IPI"]);
  expect(names("12")).toEqual(["CPU 12", "rq 12 lock"]);
});

test("a thing comes before a sentence that speaks of it", () => {
  const sentence = thing(
    "The group waits in A, although its quota is not used up, until the next refill of its pool comes.",
  );
  expect(matching("next refill", [sentence, ...THINGS]).items[0]?.name).toBe("refills: next");
});

test("a slip of the finger finds the word that was meant, and says so", () => {
  expect(matching("trottled", THINGS)).toEqual({ items: [THINGS[4]], instead: "throttled" });
  expect(matching("next refilsl", THINGS).instead).toBe("next refills");
  expect(matching("zebra", THINGS)).toEqual({ items: [], instead: undefined });
});

test("signs that mean something in a pattern are letters like any other", () => {
  expect(matching("( [a *", THINGS)).toEqual({ items: [], instead: undefined });
});

test("several words that a thing answers to as they stand come before the same words here and there in a name", () => {
  const steps = [
    { name: "One noise task, one herd at a time: 102.4 at most", also: "step step 6" },
    { name: "A run queue holds two tasks", also: "step step 2" },
  ];
  expect(matching("step 2", steps).items[0]?.also).toBe("step step 2");
});

test("a figure is found with thousands together or apart, copied or typed, and microseconds with either sign", () => {
  const things = [thing("1\u202f234\u202f567 switches"), thing("waits 40 µs")];
  for (const query of ["1234567", "1\u202f234\u202f567", "1\u2009234\u2009567", "1 234"])
    expect(matching(query, things).items).toEqual([things[0]]);
  for (const query of ["40 us", "40 µs"])
    expect(matching(query, things).items).toEqual([things[1]]);
});
