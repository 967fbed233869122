import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { parseCpuList, writeCpuList } from "./cpulist.ts";
import { FORMS, readPaste } from "./read-paste.ts";
import { preparedSides } from "./testing.ts";
import { LINES_MAX, TEXT_MAX, type Understood } from "./understood.ts";

beforeAll(loadEngine);

/** What is understood of a text; fails where nothing is. */
function understood(text: string): Understood {
  const answer = readPaste(text);
  if (answer.kind !== "understood") throw new Error(`${answer.kind}: ${answer.kind === "refused" ? answer.wrong : text}`);
  return answer;
}

function wrongOf(text: string): string {
  const answer = readPaste(text);
  return answer.kind === "refused" ? answer.wrong : answer.kind;
}

/** The scenario that a text opens. */
function scenarioOf(text: string): {
  readonly [key: string]: unknown;
  readonly cgroups: Readonly<Record<string, { readonly cpu_max: string }>>;
} {
  const { opens } = understood(text);
  if (opens?.kind !== "scenario") throw new Error("no scenario of its own");
  return JSON.parse(opens.text) as ReturnType<typeof scenarioOf>;
}

const cpuMaxOf = (text: string): string | undefined => Object.values(scenarioOf(text).cgroups)[0]?.cpu_max;
const pod = (limit: string, request?: string): string =>
  `resources:\n  limits:\n    cpu: ${limit}\n${request === undefined ? "" : `  requests:\n    cpu: ${request}\n`}`;

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
  ],
);
const soup = fc.array(words, { maxLength: 14 }).chain((parts) => fc.constantFrom(" ", "\n").map((between) => parts.join(between)));

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
        if (answer.kind !== "understood" || answer.opens === undefined || ["rt-app file", "scenario"].includes(answer.language)) return;
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

  test.each(FORMS.map((form) => [form.name, form.example] as const))("%s: the example is understood and opens", (_, example) => {
    const { opens } = understood(example);
    if (opens === undefined) throw new Error("opens nothing");
    expect(preparedSides(opens).b.setup).not.toBe("");
  });
});

describe("limits", () => {
  test("of every size a kernel takes become a scenario that runs, with the same cpu.max", () => {
    const limit = fc.record({ quota: fc.integer({ min: 1_000, max: 200_000_000 }), period: fc.integer({ min: 1_000, max: 1_000_000 }) });
    fc.assert(
      fc.property(limit, ({ quota, period }) => {
        const text = `${quota} ${period}`;
        if (quota / period >= 1_024) return;
        const { opens } = understood(text);
        if (opens === undefined) throw new Error("opens nothing");
        expect(preparedSides(opens).a.setup).not.toBe("");
        expect(cpuMaxOf(text)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test("are the same in every language", () => {
    for (const text of [
      pod("1500m"),
      pod('"1.5"'),
      "docker run -it --cpus=1.5 nginx",
      "docker run \\\n  --cpu-quota 150000 --cpu-period=100000 nginx",
      "CPUQuota=150%",
      "systemd-run -p CPUQuota=150% make",
      "echo 150000 100000 > /sys/fs/cgroup/web/cpu.max",
      "cpu.cfs_quota_us 150000\ncpu.cfs_period_us 100000",
      "$ cat /sys/fs/cgroup/web/cpu.max\n150000 100000",
      "    Limits:\n      cpu:     1500m\n      memory:  128Mi\n    Requests:\n      cpu:        250m",
    ])
      expect(cpuMaxOf(text), text).toBe("150000 100000");
  });

  test("in millicores are quota = m x period / 1000, as exactly as Kubernetes counts them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 64_000 }), (millis) => {
        expect(cpuMaxOf(pod(`${millis}m`))).toBe(`${millis * 100} 100000`);
        expect(cpuMaxOf(pod(`"${millis / 1_000}"`))).toBe(`${millis * 100} 100000`);
      }),
      { numRuns: 50 },
    );
  });

  test("say in how much of a period 32 threads use them up", () => {
    expect(understood(pod("500m")).follows[0]).toContain("32 runnable threads on 32 CPUs use up the quota in 1.56 ms of every 100 ms");
  });

  test("of a Pod are found in a Deployment, in JSON, and in a block cut out of the middle of a file", () => {
    const deployment =
      "spec:\n  template:\n    spec:\n      containers:\n        - name: web\n          resources: { limits: { cpu: 500m } }\n";
    expect(cpuMaxOf(deployment)).toBe("50000 100000");
    expect(cpuMaxOf('{"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"500m"}}}]}}')).toBe("50000 100000");
    expect(cpuMaxOf("limits:\n          cpu: 500m\n        requests:\n          cpu: 100m")).toBe("50000 100000");
    expect(cpuMaxOf("- name: web\n          resources:\n            limits:\n              cpu: 500m")).toBe("50000 100000");
  });

  test("of a Pod with several containers: the first is taken and the others are named", () => {
    const two = "containers:\n- name: web\n  resources: {limits: {cpu: 1}}\n- name: proxy\n  resources: {limits: {cpu: 2}}";
    expect(cpuMaxOf(two)).toBe("100000 100000");
    expect(understood(two).unknown.join(" ")).toContain("“proxy”");
  });

  test("that no kernel takes are refused with what was expected", () => {
    expect(wrongOf("500 100000")).toContain("1 ms or more");
    expect(wrongOf("50000 2000000")).toContain("accepts 1 ms to 1 s");
    expect(wrongOf(pod("many"))).toContain("2, 0.5 or 500m");
    expect(wrongOf("docker run --cpus=1 --cpu-quota=5000 x")).toContain("not both");
    expect(wrongOf("CPUQuota=half")).toContain("150%");
  });

  test("of systemd below 1 ms lengthen the period, as systemd does", () => {
    expect(cpuMaxOf("CPUQuota=5%\nCPUQuotaPeriodSec=10ms")).toBe("1000 20000");
  });

  test("that are none open a scenario that compares with one", () => {
    for (const text of ["max 100000", "cpu.cfs_quota_us -1", "requests:\n  cpu: 100m"]) expect(understood(text).opens?.kind).toBe("preset");
  });
});

describe("CPU lists", () => {
  test("come back as they are written", () => {
    const cpus = fc.uniqueArray(fc.integer({ min: 0, max: 1_023 }), { minLength: 1, maxLength: 60 });
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
    for (const text of ["0-3,8", "isolcpus=domain,managed_irq,0-3,8", "taskset -c 0-3,8 ./app", "taskset 0x10f ./app", "0x10f"])
      expect(understood(text).what, text).toContain("5 CPUs: 0-3,8.");
  });

  test("that are none are refused", () => {
    for (const text of ["nohz_full=5-2", "nohz_full=4096", "taskset -c 0- x"]) expect(wrongOf(text), text).toContain("0-3,8 or 0-15:2/4");
  });
});

describe("switches", () => {
  test("NO_ before a feature is off on side A, and the opposite is on side B", () => {
    const { opens, unknown } = understood("NO_RT_PUSH_IPI HRTICK FOO_BAR");
    expect(opens).toMatchObject({ kind: "preset", a: [["kernel.rt_push_ipi", "off"]], b: [["kernel.rt_push_ipi", "on"]] });
    expect(unknown.join(" ")).toMatch(/HRTICK.*FOO_BAR/);
  });

  test("every feature that a scenario shows opens it, on and off", () => {
    for (const name of ["RT_PUSH_IPI", "TTWU_QUEUE", "DELAY_DEQUEUE", "NI_RANDOM", "RT_RUNTIME_SHARE"])
      for (const token of [name, `NO_${name}`]) {
        const { opens } = understood(`echo ${token} | sudo tee /sys/kernel/debug/sched/features`);
        if (opens === undefined) throw new Error(token);
        const sides = preparedSides(opens);
        expect(sides.a.setup, token).not.toBe(sides.b.setup);
      }
  });

  test("a preemption model is read from the command line, the file and the boot log", () => {
    for (const text of ["quiet preempt=lazy nohz_full=2-7", "none voluntary full (lazy)", "[    0.01] Dynamic Preempt: lazy"])
      expect(understood(text).opens, text).toMatchObject({ slug: "lazy-or-now", a: [["kernel.preempt", "lazy"]] });
    expect(wrongOf("preempt=soft")).toContain("none, voluntary, full or lazy");
  });
});
