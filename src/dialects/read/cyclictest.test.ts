// Lines of cyclictest, as the getopt loops of rt-tests 0.83 to 2.1 read them.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { preparedSides, understood, wrongOf } from "../../testing/pasted.ts";

beforeAll(loadEngine);

interface Scenario {
  readonly machine: { readonly cpus: number };
  readonly workload: { readonly cyclictest: object };
}

function scenarioOf(text: string): Scenario {
  const { opens } = understood(text);
  if (opens?.kind !== "scenario") throw new Error("no scenario of its own");
  preparedSides(opens);
  return JSON.parse(opens.text) as Scenario;
}

function cyclictestOf(text: string): object {
  return scenarioOf(text).workload.cyclictest;
}

function unknownOf(text: string): string {
  return understood(text).unknown.join(" ");
}

describe("cyclictest", () => {
  test("short options in one word, with and without a space, and long ones say the same", () => {
    const wanted = {
      threads: "all",
      pinned: true,
      priority: 80,
      interval: "200us",
      distance: "250us",
    };
    for (const line of [
      "cyclictest -Smp80 -i200 -d250",
      "sudo ./cyclictest -S -m -p 80 -i 200 -d 250",
      "cyclictest --smp --mlockall --priority=80 --interval=200 --distance=250",
      "$ cyclictest -mSd250 -p80 -i200 | tee log",
    ])
      expect(cyclictestOf(line), line).toMatchObject(wanted);
  });

  test("has the tool's own defaults: one unpinned thread of SCHED_OTHER every 1000 us, 500 us apart; -h sets the distance to 0", () => {
    expect(cyclictestOf("cyclictest")).toMatchObject({
      threads: 1,
      pinned: false,
      priority: 0,
      interval: "1000us",
      distance: "500us",
    });
    expect(cyclictestOf("cyclictest -h 400")).toMatchObject({ distance: "0us" });
  });

  test("-a takes the next word where it is a list of CPUs, -t where it is a number", () => {
    const { workload, machine } = scenarioOf("cyclictest -t 4 -a 0-2,11 -q -n");
    expect(workload.cyclictest).toMatchObject({ threads: 4, affinity: "0,1,2,11" });
    expect(machine.cpus).toBe(12);
    expect(cyclictestOf("cyclictest -t -a -m")).toMatchObject({ threads: "all", pinned: true });
  });

  test("-S and --numa are one pinned thread per CPU, 500 us apart as without them; only a histogram or -d 0 lets all share one interval", () => {
    const smp = { threads: "all", pinned: true };
    expect(cyclictestOf("cyclictest --smp -um -p95")).toMatchObject({ ...smp, distance: "500us" });
    expect(cyclictestOf("cyclictest --numa -p95 -m -d0 -i100")).toMatchObject({
      ...smp,
      priority: 95,
      interval: "100us",
      distance: "0us",
    });
    expect(unknownOf("cyclictest --numa -p95 -m -d0 -i100")).not.toContain("Left out");
    expect(cyclictestOf("cyclictest -U")).toMatchObject({ ...smp, distance: "500us" });
    expect(cyclictestOf("cyclictest -S -H 400 -d 250")).toMatchObject({ distance: "0us" });
    expect(unknownOf("cyclictest -S -H 400 -d 250")).toContain(
      "The tool ignores -d beside a histogram",
    );
    expect(cyclictestOf("cyclictest -S -h 0 -d 250"), "a histogram of no µs is none").toMatchObject(
      { distance: "250us" },
    );
  });

  test("beside -S and --numa the tool ignores -a and -t, and refuses both of them together", () => {
    for (const option of ["-S", "--numa"]) {
      const line = `cyclictest ${option} -t 4 -a 2-3`;
      expect(cyclictestOf(line), line).toMatchObject({ threads: "all", pinned: true });
      expect(cyclictestOf(line), line).not.toHaveProperty("affinity");
      expect(unknownOf(line)).toContain(`The tool ignores -a and -t beside ${option}.`);
    }
    expect(wrongOf("cyclictest -S --numa")).toContain("exclude each other");
  });

  test("-t without a number is one thread for each CPU of -a's list", () => {
    expect(cyclictestOf("cyclictest -t -a 1-3")).toMatchObject({ threads: 3, affinity: "1,2,3" });
  });

  test("a distance makes intervals longer, it does not make threads late", () => {
    expect(understood("cyclictest -S -d 250").what).toContain(
      "every 1000 µs, and the interval of each next thread is 250 µs longer",
    );
    expect(understood("cyclictest -S -d 0").what).not.toContain("longer");
  });

  test("what the line says itself is not told as the tool's default", () => {
    expect(unknownOf("cyclictest")).toMatch(
      /Without -t or -S the tool runs one thread.*Without -a the threads are not pinned/,
    );
    expect(unknownOf("cyclictest -t1 -a")).not.toContain("Without");
  });

  test("--secaligned is read as -A 0, --priospread and a policy in capitals as the tool reads them", () => {
    expect(cyclictestOf("cyclictest -t 4 --secaligned 300")).toMatchObject({ aligned: "0us" });
    expect(unknownOf("cyclictest -t 4 --secaligned 300")).toMatch(/--secaligned is read as -A 0/);
    expect(unknownOf("cyclictest -t 4 --secaligned 300")).not.toContain("Left out");
    expect(wrongOf("cyclictest -A --secaligned")).toContain("exclude each other");
    expect(cyclictestOf("cyclictest -t 4 -p 80 --priospread --policy=RR")).toMatchObject({
      priospread: true,
      policy: "rr",
      priority: 80,
    });
  });

  test("-e of older versions is --latency", () => {
    for (const option of ["-e 7", "--latency=7"])
      expect(cyclictestOf(`cyclictest ${option}`), option).toMatchObject({ latency: 7 });
  });

  test("options that nothing here stands for are named", () => {
    expect(unknownOf("cyclictest -r -s --laptop --frobnicate")).toMatch(
      /“-r”.*“-s”.*“--laptop”.*“--frobnicate”/,
    );
  });

  test("any line whose values the tool takes becomes a scenario that runs", () => {
    const option = fc.oneof(
      fc.integer({ min: 0, max: 99 }).map((value) => `-p${value}`),
      fc.integer({ min: 50, max: 1_000_000 }).map((value) => `-i ${value}`),
      fc.integer({ min: 0, max: 1_000_000 }).map((value) => `--distance=${value}`),
      fc.integer({ min: 0, max: 4_000_000 }).map((value) => `-l${value}`),
      fc.integer({ min: 1, max: 64 }).map((value) => `-t ${value}`),
      fc.integer({ min: 0, max: 1_000_000 }).map((value) => `-b ${value}`),
      fc.constantFrom(
        "-S",
        "-a 2 --numa",
        "--secaligned 7",
        "-m",
        "-n",
        "-a",
        "-a 2-5",
        "-t",
        "-A",
        "-A 50",
        "-D 1h",
        "-h 400",
        "-y rr",
        "--policy=fifo",
        "--latency 0",
        "-q",
        "-M",
      ),
    );
    fc.assert(
      fc.property(fc.array(option, { maxLength: 8 }), (options) => {
        const line = `cyclictest ${options.join(" ")}`;
        const excluded = [
          ["-S", "-a 2 --numa"],
          ["-A", "--secaligned 7"],
          ["-A 50", "--secaligned 7"],
        ];
        if (excluded.some((pair) => pair.every((each) => options.includes(each))))
          expect(wrongOf(line)).toContain("exclude each other");
        else scenarioOf(line);
      }),
      { numRuns: 80 },
    );
  });
});
