import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { mutexIn } from "../../model/mutexes.ts";
import { run } from "../../model/testing.ts";
import { THEMES } from "../draw/theme.ts";
import { layRows } from "../lanes/rows.ts";
import { inked } from "../marks/testing.ts";
import { drawMutex } from "./mutex.ts";
import { askMutex, mutexWords } from "./mutex-track.tsx";

beforeAll(loadEngine);

/** The scenario of priority inheritance around its first block. */
function shown(variant: number): {
  readonly plot: Parameters<typeof drawMutex>[1];
  readonly lock: NonNullable<ReturnType<typeof mutexIn>>;
} {
  const [trace] = run("priority-inheritance", variant);
  const lock = mutexIn(trace, 0, trace.endNs);
  if (lock === undefined) throw new Error("no mutex");
  const { atNs } = lock.peak;
  const viewport = { fromNs: atNs - 50_000, toNs: atNs + 250_000 };
  const plot = {
    trace,
    viewport,
    rows: layRows(1, 60, []),
    scrollTop: 0,
    gutter: 48,
    width: 1048,
    height: 40,
    ratio: 1,
    theme: THEMES.dark,
  };
  return { plot, lock };
}

test("the lane says who holds the mutex and that it does not run, or at which lent priority, and who waits", () => {
  const [without, inherits] = [shown(0), shown(1)];
  const [alone, lent] = [without, inherits].map(({ plot, lock }) => inked((context) => drawMutex(context, plot, lock, 1)).words);
  expect(alone?.some((words) => words.startsWith("strong.0 waits"))).toBe(true);
  expect(alone).toContain("weak.0, preempted");
  expect(lent).toContain("weak.0, at lent priority 80");
});

test("the words at an instant and the answer under the pointer name the same holder", () => {
  const { plot, lock } = shown(0);
  const ns = lock.peak.atNs + 200_000;
  expect(mutexWords(plot.trace, lock, ns)).toEqual(["mutex shared: held by weak.0, which is preempted", "strong.0 has waited 200 µs"]);
  const told = askMutex(plot, lock, 1, 48 + 800, 5);
  expect(told?.lines[0]).toBe("mutex shared: held by weak.0, which is preempted");
  expect(told?.lines).toContain("strong.0 is number 1 to come");
});
