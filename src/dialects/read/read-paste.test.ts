import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { parseCpuList, writeCpuList } from "./cpulist.ts";
import { FORMS, readPaste } from "./read-paste.ts";
import { preparedSides, understood, wrongOf } from "../../testing/pasted.ts";
import { LINES_MAX, TEXT_MAX } from "./understood.ts";

beforeAll(loadEngine);

/** Words of all languages, thrown together: more of it means something than of letters. */
const words = fc.constantFrom(
  ...[
    "cpu.max",
    "max",
    "100000",
    "50000",
    "0",
    "-1",
    "resources:",
    "limits:",
    "  cpu: 500m",
    "requests:",
    "nr_periods 10",
    "nr_throttled 3",
  ],
  ...[
    "throttled_usec 9000",
    "usage_usec 5000000",
    "cyclictest",
    "-p95",
    "-t",
    "4",
    "-a",
    "0-3",
    "-S",
    "-i",
    "-D",
    "1h",
    "--latency=0",
    "--smp",
  ],
  ...[
    "docker run",
    "--cpus=1.5",
    "--cpus",
    "2",
    "--cpu-quota=5000",
    "CPUQuota=20%",
    "CPUQuotaPeriodSec=10ms",
    "CPUWeight=5",
    "RT_PUSH_IPI",
  ],
  ...[
    "NO_TTWU_QUEUE",
    "HRTICK",
    "preempt=full",
    "(lazy)",
    "nohz_full=1-3",
    "taskset -c",
    "0-15:2/4",
    "0xff",
    "all",
    '{"tasks":{',
    '"run":5',
    "}}",
    "\n",
    "services:",
    "deploy:",
    "cpus: 1.5",
    "rtla timerlat",
    "-c 0-3",
    "-P f:95",
    "hackbench -g 3",
    "perf bench sched pipe",
    "isolcpus=2-7",
    "T: 0 ( 12) P:95 I:100 C: 20 Min: 3 Act: 5 Avg: 6 Max: 141",
  ],
);
const soup = fc
  .array(words, { maxLength: 14 })
  .chain((parts) => fc.constantFrom(" ", "\n").map((between) => parts.join(between)));

describe("any text", () => {
  test("is answered without an error, in sentences of a length that can be shown", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300, unit: "binary" }), soup), (text) => {
        const answer = readPaste(text);
        const sentences =
          answer.kind === "understood"
            ? [answer.what, ...answer.follows, ...answer.unknown]
            : answer.kind === "refused"
              ? [answer.wrong]
              : [];
        for (const sentence of sentences) expect(sentence.length).toBeLessThan(1_000);
      }),
      { numRuns: 600 },
    );
  });

  test("that is understood opens what the reader of scenarios takes; only a file that holds a whole program may be refused", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const answer = readPaste(text);
        if (
          answer.kind !== "understood" ||
          answer.opens === undefined ||
          ["rt-app file", "scenario"].includes(answer.language)
        )
          return;
        expect(preparedSides(answer.opens).a.setup).not.toBe("");
      }),
      { numRuns: 200 },
    );
  });

  test("of too many characters or lines is not looked at", () => {
    expect(wrongOf("x".repeat(TEXT_MAX + 1))).toContain(`at most ${TEXT_MAX}`);
    expect(wrongOf("\n".repeat(LINES_MAX) + "x")).toContain(`at most ${LINES_MAX}`);
  });

  test("that nests, repeats or refers to itself without end is refused within ten seconds", () => {
    const hostile = [
      "[".repeat(60_000),
      `limits: ${"[".repeat(60_000)}`,
      `limits:\n${"  a: &a [*a, *a]\n".repeat(3_000)}`,
      '{"tasks":'.repeat(6_000),
      `limits: ${"a: ".repeat(20_000)}`,
      `${"'".repeat(60_000)} docker run`,
    ];
    for (const text of hostile) {
      const start = performance.now();
      expect(readPaste(text).kind).toMatch(/unknown|refused/);
      expect(performance.now() - start).toBeLessThan(10_000);
    }
  });

  test.each(FORMS.map((form) => [form.name, form.example] as const))(
    "%s: the example is understood and opens",
    (_, example) => {
      const { opens } = understood(example);
      if (opens === undefined) throw new Error("opens nothing");
      expect(preparedSides(opens).b.setup).not.toBe("");
    },
  );
});

describe("CPU lists", () => {
  test("come back as they are written", () => {
    const cpus = fc.uniqueArray(fc.integer({ min: 0, max: 1_023 }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(cpus, (list) => {
        const sorted = [...list].sort((one, other) => one - other);
        expect(parseCpuList(writeCpuList(sorted))).toEqual(sorted);
      }),
    );
  });

  test("of the kernel's longer form are spread: the first 2 of every 4", () => {
    expect(parseCpuList("0-15:2/4")).toEqual([0, 1, 4, 5, 8, 9, 12, 13]);
  });

  test("behind boot options, taskset and as masks are understood", () => {
    for (const text of [
      "0-3,8",
      "isolcpus=domain,managed_irq,0-3,8",
      "taskset -c 0-3,8 ./app",
      "taskset 0x10f ./app",
      "0x10f",
    ])
      expect(understood(text).what, text).toContain("5 CPUs: 0-3,8.");
  });

  test("as taskset answers them, and as masks of /proc, are understood", () => {
    const answers = [
      "pid 12's current affinity mask: 10f",
      "pid 12's current affinity mask: f\npid 12's new affinity mask: 10f",
      "pid 12's current affinity list: 0-3,8",
      "Cpus_allowed:\t0000,0000010f",
    ];
    for (const text of answers) expect(understood(text).what, text).toContain("5 CPUs: 0-3,8.");
  });

  test("that are none are refused", () => {
    for (const text of ["nohz_full=5-2", "nohz_full=4096", "taskset -c 0- x"])
      expect(wrongOf(text), text).toContain("0-3,8 or 0-15:2/4");
  });
});

describe("switches", () => {
  test("NO_ before a feature is off on side A, and the opposite is on side B", () => {
    const { opens, unknown } = understood("NO_RT_PUSH_IPI HRTICK FOO_BAR");
    expect(opens).toMatchObject({
      kind: "preset",
      a: [["kernel.rt_push_ipi", "off"]],
      b: [["kernel.rt_push_ipi", "on"]],
    });
    expect(unknown.join(" ")).toMatch(/HRTICK.*FOO_BAR/);
  });

  test("are read behind the name of their file, however it is written", () => {
    for (const before of [
      "sched_features: ",
      "kernel.sched_features = ",
      "$ cat /sys/kernel/debug/sched/features\n",
      "sched/features:\n",
    ])
      expect(understood(`${before}NO_RT_PUSH_IPI TTWU_QUEUE`).opens, before).toMatchObject({
        slug: "rt-pull-herd",
      });
  });

  test("every feature that a scenario shows opens it, on and off", () => {
    for (const name of [
      "RT_PUSH_IPI",
      "TTWU_QUEUE",
      "DELAY_DEQUEUE",
      "NI_RANDOM",
      "RT_RUNTIME_SHARE",
    ])
      for (const token of [name, `NO_${name}`]) {
        const { opens } = understood(`echo ${token} | sudo tee /sys/kernel/debug/sched/features`);
        if (opens === undefined) throw new Error(token);
        const sides = preparedSides(opens);
        expect(sides.a.setup, token).not.toBe(sides.b.setup);
      }
  });

  test("a preemption model is read from the command line, the file and the boot log", () => {
    for (const text of [
      "quiet preempt=lazy nohz_full=2-7",
      "none voluntary full (lazy)",
      "[    0.01] Dynamic Preempt: lazy",
    ])
      expect(understood(text).opens, text).toMatchObject({
        slug: "lazy-or-now",
        a: [["kernel.preempt", "lazy"]],
      });
    expect(wrongOf("preempt=soft")).toContain("none, voluntary, full or lazy");
  });

  test.each([
    "linux /boot/vmlinuz-6.12 root=UUID=abc ro quiet isolcpus=2-7 nohz_full=2-7 rcu_nocbs=2-7 preempt=full",
    "BOOT_IMAGE=/boot/vmlinuz 8250.nr_uarts=1 isolcpus=2-7 preempt=lazy",
    "isolcpus=nohz,domain,managed_irq,1-3,5-7:1/2 quiet",
    "quiet preempt=full",
    "BOOT_IMAGE=(hd0,gpt2)/vmlinuz root=/dev/mapper/a-b crashkernel=1G-4G:192M,4G-64G:256M rd.lvm.lv=a/b nohz-full=2-7",
    "console=ttyS0,115200n8 mem=4G@0x0 idle=poll $tuned_params _x=1 @y +z",
    "preempt=none preempt=full nosmt",
    "preempt=full -- --init-option preempt=lazy",
  ])("every word of a kernel command line is named: %s", (line) => {
    const { language, what, unknown } = understood(line);
    expect(language).toBe("kernel command line");
    const said = [what, ...unknown].join(" ");
    for (const word of line.split(" "))
      if (word !== "--") expect(said, word).toContain(word.slice(0, 40));
  });

  test("a long word of a kernel command line is cut where it is told", () => {
    const list = Array.from({ length: 200 }, (_, cpu) => cpu * 2).join(",");
    expect(understood(`quiet nohz_full=${list}`).what.length).toBeLessThan(400);
  });

  test("of a kernel command line are not what init gets, nor what a later word sets again, nor words of prose", () => {
    expect(understood("preempt=full -- preempt=lazy").opens).toMatchObject({
      a: [["kernel.preempt", "full"]],
    });
    expect(understood("preempt=none preempt=full").unknown[0]).toBe(
      "Left out, because a later word sets the same: “preempt=none”.",
    );
    expect(
      understood("I boot with preempt=lazy and nohz_full=2-7 today, and it stutters.").language,
    ).not.toBe("kernel command line");
    expect(understood('sudo grubby --update-kernel=ALL --args="nohz_full=2-7"').what).toContain(
      "6 CPUs: 2-7.",
    );
  });

  test.each([
    ["CONFIG_PREEMPT_RT=y", "rt"],
    ["CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y", "rt"],
    ["CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT=y\nCONFIG_PREEMPTION=y", "rt"],
    [
      "CONFIG_PREEMPT_BUILD=y\n# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y",
      "voluntary",
    ],
    ["CONFIG_PREEMPT_VOLUNTARY_BUILD=y", "voluntary"],
    ["CONFIG_PREEMPT_NONE_BUILD=y\nCONFIG_PREEMPT_NONE=y", "none"],
    ["CONFIG_PREEMPT=y\nCONFIG_PREEMPT_COUNT=y", "full"],
    ["Linux host 6.12.8-rt #1 SMP PREEMPT_RT Thu Jan 2 x86_64 GNU/Linux", "rt"],
    ["#1 SMP PREEMPT_{RT,(lazy)}", "rt"],
    ["#1 SMP PREEMPT(lazy)", "lazy"],
    ["#7 SMP PREEMPT Tue Mar 3 UTC 2020", "full"],
  ])("what a kernel is built with tells its model: %s is %s", (text, model) => {
    const { opens, what } = understood(text);
    expect(what).toContain(`the model “${model}”`);
    if (opens?.kind !== "preset") throw new Error(text);
    expect(opens.a).toEqual([["kernel.preempt", model]]);
    const sides = preparedSides(opens);
    expect(sides.a.setup).not.toBe(sides.b.setup);
  });

  test("PREEMPT_RT with the lazy model: the page says what the simulated one lacks; an option of several models is refused by name", () => {
    expect(understood("CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y").unknown[0]).toContain(
      "a fair wake-up asks for the CPU at once",
    );
    expect(understood("CONFIG_PREEMPT_RT=y").unknown.join(" ")).not.toContain("lazy model");
    expect(understood("CONFIG_PREEMPT_RT=y").commands).toEqual([
      { line: "CONFIG_PREEMPT_RT=y", needs: "build" },
    ]);
    expect(understood("CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y").unknown[0]).toContain(
      "preempt= at boot may choose another",
    );
    for (const text of [
      "CONFIG_PREEMPT_DYNAMIC=y",
      "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPTION=y",
      "#1 SMP PREEMPT_DYNAMIC Thu",
    ])
      expect(wrongOf(text), text).toContain("on with several models. Add the line that names one");
    expect(wrongOf("preempt=rt")).toContain("none, voluntary, full or lazy");
  });

  test("of a kernel command line are all named, and one of them is followed", () => {
    const line =
      'GRUB_CMDLINE_LINUX="BOOT_IMAGE=/vmlinuz quiet isolcpus=2-7 nohz_full=2-7 rcu_nocbs=2-7 preempt=full threadirqs"';
    const { language, what, unknown, opens } = understood(line);
    expect(language).toBe("kernel command line");
    for (const word of [
      "“isolcpus=2-7”",
      "“nohz_full=2-7”",
      "“rcu_nocbs=2-7”",
      "the answer follows “preempt=full”",
    ])
      expect(what).toContain(word);
    expect(unknown[0]).toBe(
      "Not followed, paste it alone to see what it does: “isolcpus=2-7”, “nohz_full=2-7” and “rcu_nocbs=2-7”.",
    );
    expect(unknown[1]).toContain("“threadirqs”");
    expect(opens).toMatchObject({ slug: "lazy-or-now", a: [["kernel.preempt", "full"]] });
    const lists = understood("isolcpus=1-3 nohz_full=2-7");
    expect(lists.what).toContain(
      "the answer follows “nohz_full=2-7”. The list of nohz_full names 6 CPUs",
    );
    expect(wrongOf("isolcpus=1-3 preempt=soft")).toContain("none, voluntary, full or lazy");
  });
});

describe("what a tool printed", () => {
  const line = "T: 0 ( 1012) P:95 I:100 C:  20000 Min:      3 Act:    5 Avg:    6 Max:     141";

  test("by cyclictest gives its threads and interval back, and says what the maximum cannot tell", () => {
    const { what, unknown, commands } = understood(line);
    expect(what).toContain(
      "000 rounds of 1 thread the latest wake-up was 141 µs late, the average 6 µs, the earliest 3 µs.",
    );
    expect(
      understood(line).follows.join(" "),
      "no round of cyclictest is late with another: it skips those that have passed",
    ).toContain(
      "longer than the interval of 100 µs: the rounds in between were skipped, and no sample counts them.",
    );
    expect(unknown.join(" ")).toMatch(/keeps no trace.*Read your own cyclictest maximum/);
    expect(commands[0]?.line).toContain("-t 1 -p 95 -i 100 -d 0");
    const refreshed = `# cyclictest -Smp90 -i200\npolicy: fifo: loadavg: 0.1 0.1 0.1 1/1 7\n\n${line}\n${line.replace("141", "150").replace("T: 0", "T: 1")}`;
    expect(understood(refreshed).what).toContain(
      "2 threads the latest wake-up was 150 µs late (thread 1), the average of that thread 6 µs",
    );
    expect(understood(refreshed).commands[0]?.line).toContain("-S -p 90 -i 200");
    expect(wrongOf(line.replace("20000", "0"))).toContain("has run a cycle");
  });
});

describe("the policy of cyclictest", () => {
  const line = "T: 0 ( 1012) P:95 I:100 C:  20000 Min:      3 Act:    5 Avg:    6 Max:     141";
  const printed = (policy: string): string =>
    `policy: ${policy}: loadavg: 0.1 0.1 0.1 1/1 7          \n\n${line}`;

  test("is read where the tool prints it, and is said to be missing only where it is", () => {
    for (const policy of ["rr", "fifo"]) {
      const { commands, unknown } = understood(printed(policy));
      expect(commands[0]?.line).toContain(`--policy=${policy}`);
      expect(unknown.join(" ")).toContain("Affinity is not in the lines.");
    }
    expect(understood(printed("batch").replace("P:95", "P: 0")).unknown.join(" ")).toContain(
      "SCHED_BATCH runs as SCHED_OTHER",
    );
    expect(understood(line).unknown.join(" ")).toContain(
      "Affinity and policy are not in the lines.",
    );
  });

  test("of priority 0 is told by the option that says so", () => {
    expect(understood("cyclictest -S -p 0").follows[0]).toContain(
      "With -p 0 the threads are SCHED_OTHER",
    );
    expect(understood("cyclictest -S").follows[0]).toContain(
      "Without -p the threads are SCHED_OTHER",
    );
    expect(understood("rtla timerlat top -P o:0").follows[0]).toContain(
      "With -P “o:0” the threads are SCHED_OTHER",
    );
  });
});

describe("the commands that the page offers", () => {
  const all = (text: string): readonly string[] =>
    understood(text).commands.map(({ line }) => line);

  test.each([
    "nohz_full=2-7",
    "taskset -c 1-3 ./app",
    "0x10f",
    "preempt=lazy",
    "none voluntary full (lazy)",
    "CONFIG_PREEMPT_RT=y",
    "CONFIG_PREEMPT=y",
    "idle=poll",
    "NO_RT_PUSH_IPI",
    "cyclictest -Smp95 -i200 -h400 -D 10m",
    "cyclictest -t 4 -a 2-5 -p 80 -A 50 -d 100 -y rr -l 1000 --latency=100 -b 500",
    "cyclictest -t -p 3",
    "rtla timerlat hist -c 0-3 -P r:90 -p 500 -d 10m",
    "hackbench -g 3 -p -F",
    "perf bench sched pipe -l 77",
  ])("say the same as the text: %s", (text) => {
    const wanted = understood(text).opens;
    const lines = all(text).filter((line) => !line.includes(" cat "));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(understood(line).opens, line).toEqual(wanted);
  });

  test("set the burst too where the text has one, and take no list of irqaffinity as quiet CPUs", () => {
    expect(all("cpu.max 50000 100000\ncpu.max.burst 20000")).toContain(
      'echo "20000" | sudo tee /sys/fs/cgroup/GROUP/cpu.max.burst',
    );
    expect(all("50000 100000")).toHaveLength(1);
    expect(understood("cpu.max 50000 100000\ncpu.max.burst 20000").follows[1]).toContain(
      "a period may use up to 70 ms",
    );
    expect(understood("50000 100000").follows).toHaveLength(1);
    expect(all("irqaffinity=0-1").join(" ")).not.toContain("nohz_full");
    expect(understood("irqaffinity=0-1").unknown.join(" ")).toContain(
      "the quiet CPUs are usually the others",
    );
    expect(understood("hackbench -F").commands).toEqual([
      { line: "sudo hackbench -g 10 -f 20 -l 100 -s 100 -F", needs: "root" },
    ]);
  });
});
