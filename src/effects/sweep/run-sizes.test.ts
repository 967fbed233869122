// Sizes that are in view are run, the smallest first, with a batch that the test answers.

import { expect, test } from "vitest";
import type { BatchAnswer } from "../../engine/batch.ts";
import { NO_KNOBS, setKnob } from "../../scenario/knob-sets.ts";
import { initialState } from "../../state/shape/state.ts";
import { HERD, report } from "../../testing/page-state.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { sizeRunner } from "./run-sizes.ts";
import type { Runs } from "./search-run.ts";

function bench() {
  const asked: string[] = [];
  let cancelled = 0;
  const ends: (() => void)[] = [];
  const run: Runs = (requests, answer) => {
    const [first] = requests;
    asked.push(valueText(first?.set.find(([path]) => path === "machine.cpus")?.[1] ?? ""));
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    ends.push(() => {
      const heard: BatchAnswer = { kind: "report", report: report(3), limit: undefined };
      requests.forEach((_request, index) => answer(index, heard));
      end();
    });
    return {
      done,
      cancel: () => {
        cancelled += 1;
        end();
      },
    };
  };
  const end = async (): Promise<void> => {
    ends.at(-1)?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { asked, run, end, cancels: () => cancelled };
}

/** Another seed: what one test ran is not known in the next. */
const stateOf = (seed: number) => ({
  ...initialState(HERD, "dark"),
  knobs: setKnob(NO_KNOBS, "both", "seed", seed),
});

test("sizes in view run one after another, the smallest first, and each is heard once", async () => {
  const { asked, run, end } = bench();
  const heard: number[] = [];
  const runner = sizeRunner(stateOf(901), ({ cpus }) => heard.push(cpus), run);
  runner.want([16, 4]);
  expect(asked).toEqual(["4"]);
  await end();
  await end();
  runner.want([4, 16]);
  expect([asked, heard]).toEqual([
    ["4", "16"],
    [4, 16],
  ]);
});

test("a size that leaves the view before its turn is not run", async () => {
  const { asked, run, end } = bench();
  const runner = sizeRunner(stateOf(902), () => undefined, run);
  runner.want([4, 160]);
  runner.want([4]);
  await end();
  expect(asked).toEqual(["4"]);
});

test("stopping ends the workers, and nothing is heard any more", async () => {
  const { asked, run, end, cancels } = bench();
  const heard: number[] = [];
  const runner = sizeRunner(stateOf(903), ({ cpus }) => heard.push(cpus), run);
  runner.want([4, 8]);
  runner.stop();
  await end();
  expect([asked, heard, cancels()]).toEqual([["4"], [], 1]);
});

test("what was computed is there at once when the window opens anew", async () => {
  const first = bench();
  sizeRunner(stateOf(904), () => undefined, first.run).want([4]);
  await first.end();
  const second = bench();
  const heard: number[] = [];
  sizeRunner(stateOf(904), ({ cpus }) => heard.push(cpus), second.run).want([4]);
  expect([second.asked, heard]).toEqual([[], [4]]);
});
