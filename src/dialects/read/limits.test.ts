// Limits of CPU time in every language that states one: what they come to, what opens, and what is
// refused.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { KIND } from "../../engine/gen/catalogue.ts";
import { loadEngine } from "../../engine/testing.ts";
import { run } from "../../model/testing.ts";
import { cpuMaxOf, preparedSides, scenarioOf, understood, wrongOf } from "../../testing/pasted.ts";

beforeAll(loadEngine);

const pod = (limit: string, request?: string): string =>
  `resources:\n  limits:\n    cpu: ${limit}\n${request === undefined ? "" : `  requests:\n    cpu: ${request}\n`}`;

/**
 * How long each of 8 threads on 8 CPUs ran in every whole period of a run, ms: from the refill's
 * unthrottle to the throttle.
 */
function ranByPeriod(limit: string): readonly (readonly number[])[] {
  const set = [
    ["cgroups.app.cpu_max", limit],
    ["kernel.version", "6.12"],
    ["machine.cpus", 8],
  ] as const;
  const [{ events }] = run("quota-32-threads", 0, set, (text) =>
    text.replace(/"instance": *32/, '"instance":8'),
  );
  const rows = events.rowsOf([KIND.BwRefill, KIND.BwUnthrottle, KIND.BwThrottle]);
  const began = new Map<number, number>();
  const periods: number[][] = [];
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    const [kind, cpu, ns] = [events.kind.at(row), events.cpu.at(row), events.time.at(row)];
    if (kind === KIND.BwRefill) periods.push([]);
    else if (kind === KIND.BwUnthrottle) began.set(cpu, ns);
    else periods.at(-1)?.push((ns - (began.get(cpu) ?? ns)) / 1e6);
  }
  return periods.slice(1, -1);
}

describe("limits", () => {
  test("of every size a kernel takes become a scenario that runs, with the same cpu.max", () => {
    const limit = fc.record({
      quota: fc.integer({ min: 1_000, max: 200_000_000 }),
      period: fc.integer({ min: 1_000, max: 1_000_000 }),
    });
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
      "cat /sys/fs/cgroup/web/cpu.max\n150000 100000",
      "root@host:/# cat /sys/fs/cgroup/web/cpu.max\n150000 100000",
      "[root@host ~]# cat cpu.max\n150000 100000\n[root@host ~]# cat cpu.max.burst\ncpu.max.burst 0",
      "kubectl exec web -- cat /sys/fs/cgroup/cpu.max\n150000 100000",
      'services:\n  web:\n    image: nginx\n    cpus: "1.5"',
      "services:\n  db:\n    image: postgres\n  web:\n    deploy:\n      resources:\n        limits:\n          cpus: '1.50'\n          memory: 50M",
      'deploy:\n  resources:\n    limits:\n      cpus: "1.50"',
      "image: nginx\ncpu_quota: 150ms\ncpu_period: 100000",
      "cpu: 1500m",
      'cpu: "1.5"',
      "limits.cpu: 1500m",
      "resources.limits.cpu=1500m\nresources.requests.cpu=1",
      "kubectl set resources deployment/web --limits=cpu=1500m",
      "$ kubectl -n shop set resources deployment web -c=nginx --limits memory=512Mi,cpu=1.5 --requests=cpu=250m",
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

  test("say what the assumed threads get of them, on the assumed CPUs: slices, not a share each", () => {
    const follows = (limit: string): string => understood(limit).follows.join(" ");
    expect(follows(pod("500m"))).toBe(
      "50 ms are 10 slices of 5 ms: 8 runnable threads on 8 CPUs get 1 or 2 each, run for about 5 or 10 ms of every 100 ms, " +
        "and are then throttled until the next refill.",
    );
    expect(follows("400000 100000")).toContain(
      "80 slices of 5 ms: 8 runnable threads on 8 CPUs get 10 each, run for about 50 ms of",
    );
    expect(follows("20000 100000")).toContain(
      "of 8 runnable threads on 8 CPUs at most 4 get one, run for about 5 ms of every 100 ms",
    );
    expect(follows("1000 100000")).toContain(
      "slices of at most 5 ms: of 8 runnable threads on 8 CPUs the first to ask use it up",
    );
    for (const limit of [pod("500m"), "1600000 100000"]) {
      const assumed = /assumed: (\d+)/.exec(understood(limit).unknown.join(" "))?.[1] ?? "none";
      expect(follows(limit)).toContain(`${assumed} runnable threads on ${assumed} CPUs`);
    }
  });

  // What the sentence says of 8 threads, as the engine runs them.
  test.each([
    ["50000 100000", 8, [5, 10]],
    ["20000 100000", 4, [5]],
    ["3000 100000", 0, []],
  ])(
    "of %s: no more than %i of 8 threads run for 5 ms or more in a period",
    (limit, most, slices) => {
      const periods = ranByPeriod(limit);
      expect(periods.length).toBeGreaterThan(5);
      for (const ran of periods) {
        const long = ran.filter((ms) => ms >= 4.9);
        expect(long.length).toBeLessThanOrEqual(most);
        for (const ms of long)
          expect(
            // What was run too long in the periods before, a tick of 1 ms at most in each, comes
            // off a second slice.
            slices.some((each) => ms > each - (each > 5 ? 3 : 0.1) && ms < each + 2),
            String(ms),
          ).toBe(true);
      }
    },
  );

  test("of a Pod are found in a Deployment, in JSON, and in a block cut out of the middle of a file", () => {
    const deployment =
      "spec:\n  template:\n    spec:\n      containers:\n        - name: web\n          resources: { limits: { cpu: 500m } }\n";
    expect(cpuMaxOf(deployment)).toBe("50000 100000");
    expect(
      cpuMaxOf('{"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"500m"}}}]}}'),
    ).toBe("50000 100000");
    expect(cpuMaxOf("limits:\n          cpu: 500m\n        requests:\n          cpu: 100m")).toBe(
      "50000 100000",
    );
    expect(
      cpuMaxOf("- name: web\n          resources:\n            limits:\n              cpu: 500m"),
    ).toBe("50000 100000");
  });

  test("of a Pod with several containers: the first is taken and the others are named", () => {
    const two =
      "containers:\n- name: web\n  resources: {limits: {cpu: 1}}\n- name: proxy\n  resources: {limits: {cpu: 2}}";
    expect(cpuMaxOf(two)).toBe("100000 100000");
    expect(understood(two).unknown.join(" ")).toContain("“proxy”");
  });

  test("are understood from the very command that the page offers", () => {
    const [command] = understood(pod("500m")).commands;
    expect(cpuMaxOf(command?.line ?? "")).toBe("50000 100000");
    expect(understood("cpu: 500m").unknown[0]).toBe(
      "Whether the line is of limits or of requests; taken as the limit.",
    );
    expect(understood("kubectl set resources deployment/web --requests=cpu=100m").what).toContain(
      "requests 0.1 CPUs and has no CPU limit",
    );
  });

  test("of 0 are none, as Kubernetes reads them", () => {
    for (const none of ["0", "0m", '"0.0"'])
      expect(understood(pod(none, "100m")).what, none).toContain("has no CPU limit");
    expect(cpuMaxOf(pod("10m"))).toBe("1000 100000");
  });

  test("below a Pod's own request are refused, as Kubernetes refuses them", () => {
    expect(wrongOf(pod('"2"', '"3"'))).toBe(
      "Kubernetes refuses a request above the limit: requests.cpu is “3”, limits.cpu “2”.",
    );
    expect(understood(pod("2", "2")).what).toContain("which is 2 CPUs");
  });

  test("of docker: what is said of shares and CPUs beside them is named", () => {
    expect(understood("docker run --cpu-shares 512 nginx").unknown[0]).toBe(
      "--cpu-shares “512” is left out: shares count only where groups compete for a CPU.",
    );
    expect(understood("docker run --cpus=1 --cpu-shares=512 nginx").unknown[0]).toContain(
      "“512” sets cpu.weight 20: shares count",
    );
    expect(understood("docker run -c 512 --cpuset-cpus 0-1 nginx").unknown).toHaveLength(3);
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

  test("of a Compose file: a service that has none is not taken, and a manifest of Kubernetes is none", () => {
    const two = "services:\n  db:\n    cpu_quota: -1\n  web:\n    cpus: 0.5";
    expect(cpuMaxOf(two)).toBe("50000 100000");
    expect(understood(two).what).toContain("“web”");
    expect(understood(two).unknown.join(" ")).toContain("“db”");
    expect(wrongOf("services:\n  web:\n    cpus: many")).toContain("a number of CPUs such as 1.5");
    expect(
      understood("kind: Pod\nspec:\n  services: 1\n  resources:\n    limits:\n      cpu: 500m")
        .language,
    ).toBe("Kubernetes resources");
    expect(wrongOf("docker update web")).toContain("sets no CPU limit");
  });

  test("that are none open a scenario that compares with one", () => {
    for (const text of [
      "max 100000",
      "cpu.cfs_quota_us -1",
      "requests:\n  cpu: 100m",
      "docker run nginx",
      "services:\n  web:\n    image: nginx",
    ])
      expect(understood(text).opens?.kind).toBe("preset");
  });
});

describe("docker options", () => {
  const unknownOf = (text: string): string => understood(text).unknown.join(" ");

  test.each([
    ["docker run nginx --cpus=2", "--cpus=2", "nginx"],
    ["docker run -d redis:7 redis-server --cpus=2", "--cpus=2", "redis:7"],
    ["docker run --name a ubuntu:22.04 stress --cpu-quota=5", "--cpu-quota=5", "ubuntu:22.04"],
    ["podman run --rm -it -e A=1 -v /a:/b --network host img tool --cpus 4", "--cpus", "img"],
  ])("behind the image set no limit: %s", (text, option, image) => {
    expect(understood(text).what).toContain("no CPU limit");
    expect(unknownOf(text)).toContain(`“${option}” stands behind the image “${image}”`);
  });

  test.each([
    "docker run --name a --cpus=1.5 nginx --cpus=8",
    "docker run -dit --rm --privileged --cpus 1.5 ubuntu sh -c 'stress --cpus 4'",
    "docker run -p 80:80 -m512m --read-only=true -u 1000 --cpus=1.5 nginx",
    "docker --context prod container run --cpus=1.5 nginx",
    "docker -H tcp://host:2375 create --label run --cpus=1.5 nginx",
    "docker update web --cpus 1.5",
    "docker run --cpus=1.5 -- nginx",
  ])("before the image, with or without values, set the limit: %s", (text) => {
    expect(cpuMaxOf(text)).toBe("150000 100000");
  });

  test("that the box does not know: it says what it assumed of the image", () => {
    const text = "docker run --frobnicate now nginx --cpus=2";
    expect(unknownOf(text)).toContain(
      "does not know whether “--frobnicate” takes a value. Assumed: it takes the next word, and the image is “nginx”.",
    );
    expect(unknownOf("docker run --frobnicate=now --cpus=2 nginx")).not.toContain(
      "does not know whether",
    );
  });

  test("of docker that start no container are no limit of one, and 0 is no limit", () => {
    expect(understood("docker run --cpus=0 nginx").what).toContain("no CPU limit");
    for (const text of ["docker exec web run --cpus=2", "docker ps"])
      expect(wrongOf(text)).toBe("unknown");
  });

  test("beside the limit are named: of docker and of a Compose service", () => {
    expect(
      unknownOf("docker run --cpus=1 --cpu-rt-runtime=950000 --cpuset-mems=0 nginx"),
    ).toContain("--cpu-rt-runtime and --cpuset-mems");
    const service =
      "services:\n  web:\n    cpus: 1.5\n    cpuset: 0-3\n    cpu_shares: 512\n    cpu_rt_runtime: 400ms";
    expect(unknownOf(service)).toContain("cpu_shares: “512” sets cpu.weight 20: shares count");
    expect(unknownOf(service)).toContain("Left out: cpuset: and cpu_rt_runtime:.");
    expect(scenarioOf(service).cgroups["service"]).toMatchObject({ cpu_weight: 20 });
    expect(unknownOf("services:\n  web:\n    cpuset: 0-3")).toContain("cpuset:");
    expect(understood("services:\n  web:\n    cpus: 0").what).toContain("none has a CPU limit");
  });
});

describe("systemd", () => {
  const lines = (text: string): readonly string[] =>
    understood(text).commands.map(({ line }) => line);
  const unknownOf = (text: string): string => understood(text).unknown.join(" ");

  test.each([
    ["CPUQuota=20%\nCPUQuotaPeriodSec=10ms", "2000 10000"],
    ["CPUQuota=12.5%", "12500 100000"],
    ["CPUQuota=0.5%", "1000 200000"],
    ["CPUQuota=3%\nCPUQuotaPeriodSec=1ms", "1000 33333"],
    ["CPUQuota=0.05%", "1000 1000000"],
    ["CPUQuota=150%\nCPUQuotaPeriodSec=2500us", "3750 2500"],
    ["CPUQuotaPerSecUSec=1s 500ms\nCPUQuotaPeriodUSec=50ms", "75000 50000"],
    ["CPUQuota=33.33%", "33330 100000"],
  ])("%s: the commands that the page offers set the limit that it understood", (text, limit) => {
    expect(cpuMaxOf(text)).toBe(limit);
    expect(lines(text)).toHaveLength(3);
    for (const line of lines(text)) expect(cpuMaxOf(line), line).toBe(limit);
  });

  test("takes two decimals of a percent; a finer limit of another tool's has no line of systemd", () => {
    expect(wrongOf("CPUQuota=12.345%")).toContain("two decimals at most");
    expect(unknownOf("CPUQuota=12.5%")).toContain(
      "Older versions of systemd take only a whole number of percent",
    );
    expect(unknownOf("CPUQuota=12%")).not.toContain("Older versions");
    expect(lines("CPUQuotaPerSecUSec=333.333ms")).toEqual([
      'echo "33333 100000" | sudo tee /sys/fs/cgroup/GROUP/cpu.max',
    ]);
  });

  test("a real-time policy beside the quota: the quota does not limit its threads, and the page says so", () => {
    for (const policy of ["fifo", "rr"]) {
      const { what, follows } = understood(
        `[Service]\nCPUQuota=20%\nCPUSchedulingPolicy=${policy}\nCPUSchedulingPriority=50`,
      );
      expect(what).toContain("The fair threads of the unit may use 20 ms");
      expect(follows[0]).toContain(
        `does not limit real-time threads, and CPUSchedulingPolicy=${policy} starts`,
      );
    }
    expect(understood("CPUQuota=20%\nCPUSchedulingPolicy=other").what).toContain(
      "The unit may use 20 ms",
    );
    expect(unknownOf("CPUQuota=20%\nCPUSchedulingPolicy=batch")).toContain("CPUSchedulingPolicy=");
  });

  test("settings that the scenario has nothing like are named, those at their defaults are not", () => {
    const text =
      "CPUQuota=20%\nCPUSchedulingPolicy=idle\nCPUAffinity=0 1\nAllowedCPUs=0-3\nNice=-5";
    expect(unknownOf(text)).toContain(
      "nothing like it: CPUSchedulingPolicy=, CPUAffinity=, AllowedCPUs= and Nice=.",
    );
    const shown =
      "CPUQuotaPerSecUSec=200ms\nCPUWeight=[not set]\nNice=0\nCPUSchedulingPolicy=0\nCPUAffinity=\nNUMAPolicy=n/a";
    expect(unknownOf(shown)).not.toContain("nothing like it");
  });

  test("a weight is understood alone, and beside a quota the page says what it sets", () => {
    expect(understood("[Service]\nCPUWeight=50").what).toContain("no CPU limit of its own");
    expect(unknownOf("[Service]\nCPUWeight=50")).toContain(
      "CPUWeight=50 is left out: a weight counts only where",
    );
    expect(unknownOf("CPUQuota=20%\nCPUWeight=50")).toContain(
      "CPUWeight=50 sets cpu.weight 50: a weight counts only where",
    );
    expect(lines("CPUQuota=20%\nCPUWeight=50")[0]).toContain("CPUQuota=20% CPUWeight=50");
    expect(unknownOf("CPUWeight=50\nCPUSchedulingPolicy=rr")).toContain(
      "quota and weight count for fair threads only",
    );
    expect(wrongOf("CPUWeight=20000")).toContain("from 1 to 10000");
  });
});

describe("every command that sets a limit", () => {
  test.each([
    "50000 100000",
    "cpu.max 12345 67890",
    "1000 1000",
    "cpu.cfs_quota_us 150000\ncpu.cfs_period_us 50000",
    "docker run --cpus=0.333 nginx",
    "docker run --cpu-quota=7500 --cpu-period=25000 nginx",
    "podman run --cpus 2 -it img --cpus 9",
    "docker update web --cpu-quota 20000",
    "services:\n  web:\n    cpu_quota: 30ms\n    cpu_period: 20ms",
    "services:\n  web:\n    deploy:\n      resources:\n        limits:\n          cpus: '0.29'",
    "limits:\n  cpu: 1m",
    "limits:\n  cpu: 333m\nrequests:\n  cpu: 1m",
    "cpu: 2.5",
    "kind: DaemonSet\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: b, resources: {limits: {cpu: 0.1}}}]}}}",
    "kind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: b, resources: {limits: {cpu: 1234m}}}]}",
    "kubectl set resources sts/db -c x --limits=cpu=750m",
    "CPUQuota=12.5%",
    "CPUQuota=20%\nCPUQuotaPeriodSec=10ms",
    "CPUQuota=0.01%",
    "systemd-run -p CPUQuota=33% -p CPUQuotaPeriodSec=1s make",
    "CPUQuotaPerSecUSec=1.25s\nCPUQuotaPeriodUSec=20ms",
  ])("sets the one that was understood: %s", (text) => {
    const { commands } = understood(text);
    expect(commands.length).toBeGreaterThan(0);
    for (const { line } of commands) expect(cpuMaxOf(line), line).toBe(cpuMaxOf(text));
  });
});
