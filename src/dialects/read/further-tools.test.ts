// Lines of rtla, hackbench and perf bench, and files of rt-app.

import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { preparedSides, understood, wrongOf } from "../../testing/pasted.ts";

beforeAll(loadEngine);

describe("further tools", () => {
  test("rtla timerlat is read as cyclictest with its options, and osnoise as a list of CPUs", () => {
    expect(
      understood("sudo rtla timerlat hist -c 0-3 -P f:80 -p 500 -d 10m -q").commands[0]?.line,
    ).toContain("-p 80 -i 500 -d 0 --policy=fifo -D 600");
    expect(understood("rtla timerlat top").what).toContain(
      "SCHED_FIFO priority 95, each on a CPU of its own; a thread wakes every 1000 µs",
    );
    expect(understood("rtla osnoise top -c 2-7").what).toContain("6 CPUs: 2-7");
    expect(wrongOf("rtla osnoise top")).toContain("such as -c 2-7");
    expect(wrongOf("rtla timerlat hist -P d:100us:1ms")).toContain("SCHED_DEADLINE");
  });

  test("hackbench and perf bench sched run with their own defaults; of every size they become a scenario", () => {
    expect(understood("hackbench").what).toContain(
      "runs 400 tasks in 10 groups: 20 senders of each group write 100 messages",
    );
    expect(understood("perf bench sched messaging -g 2 -t -p").what).toContain(
      "runs 80 tasks in 2 groups",
    );
    expect(understood("perf bench -r 3 sched pipe -l 5000 -T").what).toMatch(/5.000 times/);
    expect(wrongOf("hackbench -g many")).toContain("from 1 to 400");
    expect(wrongOf("hackbench -g 400 -f 200")).toContain("160000 tasks");
    expect(wrongOf("perf bench sched messaging -g 250")).toContain("10000 tasks");
    expect(wrongOf("perf bench sched seccomp-notify")).toContain("“sched pipe”");
    for (const text of [
      "hackbench -g 237 -f 20 -l 1000000 -s 65536 -F",
      "hackbench -g 400 -f 15",
      "hackbench -g 2 -f 200",
      "hackbench -g1 --pipe",
      "perf bench sched pipe -l 100000000",
    ]) {
      const { opens } = understood(text);
      if (opens === undefined) throw new Error(text);
      expect(preparedSides(opens).a.setup, text).not.toBe("");
    }
  });

  test.each([
    ["hackbench -T -g 2", "-T", "hackbench -g 2 -f 20 -l 100 -s 100 -T"],
    ["hackbench --threads --pipe -l 7", "-T", "hackbench -g 10 -f 20 -l 7 -s 100 -p -T"],
    ["perf bench sched messaging -t", "-t", "perf bench sched messaging -g 10 -l 100 -t"],
    ["perf bench sched pipe -T -l 5", "-T", "perf bench sched pipe -l 5 -T"],
  ])(
    "%s: threads cost the same as processes here, and the command is shown as it was understood",
    (text, option, line) => {
      const { unknown, commands, what } = understood(text);
      expect(unknown.join(" ")).toContain(
        `${option} makes threads of one process instead of processes: no figure here differs`,
      );
      expect(commands.map((each) => each.line)).toEqual([line]);
      expect(understood(line).what).toBe(what);
      expect(
        understood(text.replace(/ (?:-[tT]|--threads)(?= |$)/, "")).unknown.join(" "),
      ).not.toContain("makes threads");
    },
  );

  test("a cut rt-app file says where it ends and what is missing, and a task that had to be renamed is named", () => {
    expect(wrongOf('{ "tasks": ')).toBe(
      "The file is not valid JSON. Line 1, column 12: a value is missing, where the text ends: was it cut?",
    );
    expect(wrongOf('{\n "tasks": {\n  "a": { "run": 5 "sleep": 3 } } }')).toContain(
      "Line 3, column 19: a comma is missing.",
    );
    const { what, unknown } = understood('{ "tasks": { "web": { "run": 5, "sleep": 5 } } }');
    expect(what).toContain("“web”.");
    expect(unknown.join(" ")).toContain(
      "“web” is called “web_” here: a program of the simulator has tasks of that name.",
    );
  });
});
