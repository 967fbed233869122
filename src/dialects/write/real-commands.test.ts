// Lines for a real machine, from what a run resolved.

import { expect, test } from "vitest";
import type { KnobValue, ResolvedKnob } from "../../engine/gen/types.ts";
import { realCommands } from "./real-commands.ts";

const stated = (values: Readonly<Record<string, KnobValue>>): readonly ResolvedKnob[] =>
  Object.entries(values).map(([path, value]) => ({ path, value, origin: "stated" }));

const lines = (values: Readonly<Record<string, KnobValue>>): readonly string[] =>
  realCommands({ cpus: 4, duration_ns: 1_500_000_000, knobs: stated(values) }).map(
    ({ line, needs }) => `${needs ?? "anyone"}: ${line}`,
  );

test("a line is written for the releases that have what it needs, named by the page or not", () => {
  const file = (version: string): string =>
    lines({ "kernel.version": version, "kernel.rt_push_ipi": "off" }).join().split("tee ")[1] ?? "";
  for (const version of ["4.1.52", "5.4.290", "5.12.19"])
    expect(file(version)).toBe("/sys/kernel/debug/sched_features");
  for (const version of ["5.13", "5.15.167", "6.8.0"])
    expect(file(version)).toBe("/sys/kernel/debug/sched/features");
});

test("a feature is a token of sched_features, whose file moved with 5.13", () => {
  expect(lines({ "kernel.version": "4.1", "kernel.rt_push_ipi": "off" })).toEqual([
    "root: echo NO_RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched_features",
  ]);
  expect(lines({ "kernel.version": "6.12", "kernel.rt_push_ipi": "on" })).toEqual([
    "root: echo RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched/features",
  ]);
  expect(lines({ "kernel.version": "4.1", "kernel.rt_push_ipi": "auto_gt16" })).toEqual([]);
});

test("a preemption model is an option of the build before 5.12, and a word at boot and a file from then on", () => {
  expect(lines({ "kernel.version": "4.19", "kernel.preempt": "none" })).toEqual([
    "build: CONFIG_PREEMPT_NONE=y",
  ]);
  expect(lines({ "kernel.version": "6.13", "kernel.preempt": "lazy" })).toEqual([
    "build: CONFIG_PREEMPT_DYNAMIC=y",
    "boot: preempt=lazy",
    "root: echo lazy | sudo tee /sys/kernel/debug/sched/preempt",
  ]);
  expect(
    lines({ "kernel.version": "6.12", "kernel.preempt": "lazy" }),
    "the lazy model came with 6.13",
  ).toEqual([]);
  expect(lines({ "kernel.version": "6.6", "kernel.preempt": "rfc2023-none" })).toEqual([]);
});

test("what the version decides, and what has no effect, needs no line", () => {
  const carried = { path: "kernel.rt_push_ipi", value: "on", origin: "known" } as const;
  const inert = {
    path: "kernel.ttwu_queue",
    value: "off",
    origin: "stated",
    inert: "there is one CPU",
  } as const;
  expect(realCommands({ cpus: 1, duration_ns: 0, knobs: [carried, inert] })).toEqual([]);
});

test("groups come with their files, parents as they stand, and cpu.stat is read by anyone", () => {
  expect(
    lines({ "cgroups.shop.cpu_max": "60000 100000", "cgroups.shop/web.cpu_weight": 200 }),
  ).toEqual([
    "root: sudo mkdir -p /sys/fs/cgroup/shop /sys/fs/cgroup/shop/web",
    "root: echo +cpu | sudo tee /sys/fs/cgroup/cgroup.subtree_control",
    "root: echo +cpu | sudo tee /sys/fs/cgroup/shop/cgroup.subtree_control",
    "root: echo '60000 100000' | sudo tee /sys/fs/cgroup/shop/cpu.max",
    "root: echo 200 | sudo tee /sys/fs/cgroup/shop/web/cpu.weight",
    "anyone: cat /sys/fs/cgroup/shop/cpu.stat",
  ]);
});

test("a name out of a link is one word of the shell, whatever stands in it", () => {
  const all = lines({ "cgroups.\"a; rm -rf $HOME `x` 'y'.slice\".cpu_max": "max" });
  expect(all[0]).toBe(
    `root: sudo mkdir -p '/sys/fs/cgroup/a; rm -rf $HOME \`x\` '\\''y'\\''.slice'`,
  );
});

test("cyclictest's line has the flags of the scenario", () => {
  const own = {
    threads: "all", affinity: "auto", pinned: true, priority: 95, policy: "auto", priospread: false, interval: "100us", distance: "0us",
    loops: 0, breaktrace: 0, latency: 0, group: "/",
  }; // prettier-ignore
  const knobs = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [`workload.cyclictest.${key}`, value]),
  );
  expect(lines(knobs)).toEqual(["root: sudo cyclictest -t -a -p95 -i100 -d0 -m"]);
  expect(
    lines({ ...knobs, "workload.cyclictest.threads": 3, "workload.cyclictest.priority": 0 }),
  ).toEqual(["root: sudo cyclictest -t3 -a -i100 -d0 -m"]);
});

test("before 4.15 a group has the files of cgroup v1", () => {
  expect(lines({ "kernel.version": "3.19", "cgroups.app.cpu_max": "20000 100000" })).toEqual([
    "root: sudo mkdir -p /sys/fs/cgroup/cpu/app",
    "root: echo 100000 | sudo tee /sys/fs/cgroup/cpu/app/cpu.cfs_period_us",
    "root: echo 20000 | sudo tee /sys/fs/cgroup/cpu/app/cpu.cfs_quota_us",
    "anyone: cat /sys/fs/cgroup/cpu/app/cpu.stat",
  ]);
});

test("a program with a group joins it before it starts", () => {
  const knobs = { "workload.busy.threads": 4, "workload.busy.group": "app" };
  expect(lines(knobs)).toEqual([
    "root: sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && exec stress-ng --cpu 4 --timeout 2s'",
  ]);
});

test("RT's limit is lifted before period and runtime are written, in one line", () => {
  expect(
    lines({ "kernel.sched_rt_runtime_us": 950000, "kernel.sched_rt_period_us": 1000000 }),
  ).toEqual([
    "root: sudo sysctl kernel.sched_rt_runtime_us=-1 kernel.sched_rt_period_us=1000000 kernel.sched_rt_runtime_us=950000",
  ]);
});

test("a slice is written as the file holds it, and a bit for PREEMPT_RT alone is off without it", () => {
  expect(
    lines({ "machine.cpus": 8, "kernel.version": "6.12", "kernel.base_slice": "3ms" }),
  ).toContain("root: echo 12000000 | sudo tee /sys/kernel/debug/sched/base_slice_ns");
  expect(lines({ "kernel.version": "7.0", "kernel.rt_push_ipi": "rt_only" })).toEqual([
    "root: echo NO_RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched/features",
  ]);
});

test("the number of CPUs is nr_cpus=, and maxcpus= before that word came", () => {
  expect(lines({ "kernel.version": "6.12", "machine.cpus": 40 })).toEqual(["boot: nr_cpus=40"]);
  expect(lines({ "kernel.version": "2.6.24", "machine.cpus": 4 })).toEqual(["boot: maxcpus=4"]);
});

test("a quiet core takes words at boot and a file for each interrupt", () => {
  const quiet = {
    "workload.device_irq.cpus": "0-2",
    "workload.rcu.nocbs": "3",
    "kernel.nohz_full": "3",
  };
  expect(lines({ "kernel.version": "6.6", "machine.cpus": 4, ...quiet })).toEqual([
    "boot: nr_cpus=4",
    "boot: irqaffinity=0-2",
    "root: echo 0-2 | sudo tee /proc/irq/N/smp_affinity_list",
    "build: CONFIG_RCU_NOCB_CPU=y",
    "boot: rcu_nocbs=3",
    "build: CONFIG_NO_HZ_FULL=y",
    "boot: nohz_full=3",
  ]);
  expect(lines({ "kernel.version": "4.1", "workload.device_irq.cpus": "0-2" })).toEqual([
    "root: echo 0-2 | sudo tee /proc/irq/N/smp_affinity_list",
  ]);
  const everywhere = {
    "machine.cpus": 4,
    "workload.device_irq.cpus": "0-3",
    "workload.rcu.nocbs": "none",
  };
  expect(lines({ "kernel.version": "6.6", ...everywhere })).toEqual(["boot: nr_cpus=4"]);
});

test("slice extensions are an option of the build, their length a file of debugfs", () => {
  const knobs = {
    "kernel.rseq_slice_extension": true,
    "kernel.rseq_slice_extension_length": "20us",
  };
  expect(lines({ "kernel.version": "7.0", ...knobs })).toEqual([
    "build: CONFIG_RSEQ_SLICE_EXTENSION=y",
    "root: echo 20000 | sudo tee /sys/kernel/debug/rseq/slice_ext_nsec",
  ]);
});

/** The line of one program, with its knobs. */
const program = (name: string, own: Readonly<Record<string, KnobValue>>): readonly string[] =>
  lines(
    Object.fromEntries(
      Object.entries({ ...own, group: "/" }).map(([key, value]) => [
        `workload.${name}.${key}`,
        value,
      ]),
    ),
  );

test("aligned cyclictest threads are -A with the offset", () => {
  const own = { threads: 2, affinity: "auto", interval: "1ms", distance: "0us" };
  expect(program("cyclictest", { ...own, aligned: "50us" })).toEqual([
    "root: sudo cyclictest -t2 -a -A50 -i1000 -d0 -m",
  ]);
  expect(program("cyclictest", { ...own, aligned: "off" })).toEqual([
    "root: sudo cyclictest -t2 -a -i1000 -d0 -m",
  ]);
});

test("rt-migrate-test judges with -c and -m, and has no -r or -s that do what their help says", () => {
  const own = { priority: 2, iterations: 50, threads: "auto", max_err: "1ms", run_time: "10ms" };
  expect(program("rt_migrate_test", own)).toEqual(["root: sudo rt-migrate-test -p 2 -l 50 5"]);
  expect(program("rt_migrate_test", { ...own, check: true, equal: true })).toEqual([
    "root: sudo rt-migrate-test -p 2 -l 50 -c -m 1000 -e 5",
  ]);
});

test("hackbench's main becomes SCHED_FIFO with -F, which takes root", () => {
  const own = { groups: 2, fds: 20, loops: 100, datasize: 100 };
  expect(program("hackbench", { ...own, pipe: true })).toEqual([
    "anyone: hackbench -g 2 -f 20 -l 100 -s 100 -p",
  ]);
  expect(program("hackbench", { ...own, fifo: true })).toEqual([
    "root: sudo hackbench -g 2 -f 20 -l 100 -s 100 -F",
  ]);
});

test("schbench sleeps as long as in the scenario and runs for whole seconds", () => {
  const own = {
    message_threads: 1,
    workers: 8,
    sleep: "50us",
    cache_footprint: 256,
    operations: 5,
  };
  expect(program("schbench", own)).toEqual(["anyone: schbench -m 1 -t 8 -s 50 -F 256 -n 5 -r 2"]);
});

test("perf's pipe runs on the CPUs that taskset gives it", () => {
  expect(program("pipe", { cpus: "two", loops: 1000 })).toEqual([
    "anyone: taskset -c 0,1 perf bench sched pipe -l 1000",
  ]);
  expect(program("pipe", { cpus: "free", loops: 1000 })).toEqual([
    "anyone: perf bench sched pipe -l 1000",
  ]);
});

test("busy threads with a CPU each are a stress-ng each, in a group too", () => {
  expect(program("busy", { threads: 3, pinned: true })).toEqual([
    "anyone: for n in $(seq 0 2); do stress-ng --cpu 1 --taskset $n --timeout 2s & done; wait",
  ]);
  expect(program("busy", { threads: 6, pinned: true })).toEqual([
    "anyone: for n in $(seq 0 5); do stress-ng --cpu 1 --taskset $((n % 4)) --timeout 2s & done; wait",
  ]);
  expect(
    lines({
      "workload.busy.threads": 2,
      "workload.busy.pinned": true,
      "workload.busy.group": "app",
    }),
  ).toEqual([
    "root: sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && for n in $(seq 0 1); do stress-ng --cpu 1 --taskset $n --timeout 2s & done; wait'",
  ]);
});

test("what a file's load does is read after its command, not before", () => {
  const loads = [{ line: "rt-app load.json", needs: undefined }] as const;
  const knobs = [{ path: "cgroups.app.cpu_max", value: "20000 100000", origin: "stated" }] as const;
  expect(
    realCommands({ cpus: 1, duration_ns: 0, knobs }, loads)
      .map(({ line }) => line)
      .slice(-2),
  ).toEqual(["rt-app load.json", "cat /sys/fs/cgroup/app/cpu.stat"]);
});
