// Texts as people have them: tools' own output, drop-ins, manifests with several containers, files
// of templates.

import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { preparedSides, understood, wrongOf } from "../../testing/pasted.ts";

beforeAll(loadEngine);

const HISTOGRAM = [
  "# /dev/cpu_dma_latency set to 0us",
  "# Histogram",
  "000000 000000\t000000",
  "000001 000123\t000456",
  "# Total: 000010000 000010000",
  "# Min Latencies: 00001 00001",
  "# Avg Latencies: 00002 00003",
  "# Max Latencies: 00017 00153",
  "# Histogram Overflows: 00000 00001",
].join("\n");

const MANIFEST = `kind: Deployment
spec:
  template:
    spec:
      initContainers:
      - name: migrate
        resources: {limits: {cpu: "4"}}
      - name: proxy
        restartPolicy: Always
        resources: {limits: {cpu: 2000m}}
      containers:
      - name: app
        resources: {limits: {cpu: 750m}, requests: {cpu: 250m}}
      - name: sidecar
        resources: {limits: {cpu: 200m}}`;

const LIMIT_RANGE = `kind: LimitRange
spec:
  limits:
  - default: {cpu: 500m}
    defaultRequest: {cpu: 250m}
    type: Container`;

/** A text, a piece of the sentence about what it says, and one about what it cannot know. */
const READ: readonly (readonly [name: string, text: string, what: string, unknown: string])[] = [
  [
    "a histogram of cyclictest",
    HISTOGRAM,
    "2 threads the latest wake-up was 153 µs late (thread 1)",
    "Assumed: -p 80 -i 1000.",
  ],
  [
    "a manifest with init containers",
    MANIFEST,
    "0.75 CPUs",
    "left out: the init container “migrate”, the init container “proxy” and “sidecar”",
  ],
  [
    "an init container alone",
    "spec:\n  initContainers:\n  - name: setup\n    resources: {limits: {cpu: 100m}}\n  containers:\n  - name: app",
    "The init container may use",
    "“setup” ends before the other containers start",
  ],
  ["a LimitRange", LIMIT_RANGE, "0.5 CPUs", "containers that state no limit"],
  [
    "a drop-in above 100 %",
    "[Service]\nCPUQuota=250%\nCPUQuotaPeriodSec=10ms",
    "25 ms in every 10 ms",
    "A slice above the unit",
  ],
  [
    "a drop-in that resets first",
    "[Service]\nCPUQuota=\nCPUQuota=180%",
    "1.8 CPUs",
    "A slice above the unit",
  ],
  [
    "a unit whose limit is taken back",
    "CPUQuota=50%\nCPUQuota=",
    "no CPU limit of its own",
    "A slice above the unit",
  ],
  [
    "systemctl show",
    "CPUQuotaPerSecUSec=1s 500ms\nCPUQuotaPeriodUSec=100ms",
    "1.5 CPUs",
    "A slice above the unit",
  ],
  [
    "grep with a path",
    "/sys/fs/cgroup/web/cpu.max:50000 100000",
    "0.5 CPUs",
    "What runs under the limit",
  ],
  [
    "a program with -c behind the image",
    "podman run --cpus 1.25 alpine sh -c 'yes > /dev/null'",
    "1.25 CPUs",
    "What runs under the limit",
  ],
  [
    "taskset's stride",
    "taskset -c 0-6:2 stress-ng",
    "names 4 CPUs: 0,2,4,6",
    "What the list is for",
  ],
  ["a stride of the kernel", "0-31:2/4", "names 16 CPUs: 0-1,4-5", "What the list is for"],
  [
    "a mask of /proc",
    "ffffffff,00000000,0000ff00",
    "names 40 CPUs: 8-15,64-95",
    "What the list is for",
  ],
  ["lscpu", "NUMA node0 CPU(s):     0-3,8-11", "names 8 CPUs", "What the list is for"],
  [
    "managed_irq",
    "isolcpus=managed_irq,domain,2-7",
    "names 6 CPUs: 2-7",
    "What else isolcpus does",
  ],
  [
    "the boot log",
    "[    0.000000] Command line: root=/dev/sda1 ro preempt=lazy skew_tick=1",
    "the model “lazy”",
    "“skew_tick=1”",
  ],
  ["idle=", "intel_idle.max_cstate=0 idle=poll", "idle CPUs never sleep", "What runs"],
  [
    "a kernel's configuration",
    "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y",
    "the model “lazy”",
    "What runs",
  ],
];

describe("what people paste", () => {
  test.each(READ)(
    "%s: one sentence, what it cannot know, and a scenario that runs",
    (_name, text, what, unknown) => {
      const reading = understood(text);
      expect(reading.what).toContain(what);
      expect(reading.unknown.join(" ")).toContain(unknown);
      if (reading.opens === undefined) throw new Error("nothing opens");
      expect(preparedSides(reading.opens).a.setup).toBeDefined();
    },
  );

  test("what is no limit of a container is refused with what it is", () => {
    expect(wrongOf('kind: ResourceQuota\nspec:\n  hard:\n    limits.cpu: "8"')).toContain(
      "of a namespace",
    );
    expect(
      wrongOf("resources:\n  limits:\n    cpu: {{ .Values.cpu }}\n  requests:\n    cpu: 100m"),
    ).toContain("limits.cpu is “{{ … }}”");
    expect(wrongOf("BOOT_IMAGE=/boot/vmlinuz-6.8.0 root=UUID=1 ro quiet")).toContain(
      "None of its words",
    );
    for (const list of ["0-N", "N-2", "nohz_full=1-N", "all"])
      expect(wrongOf(list), list).toContain("how many CPUs the machine has");
  });
});
