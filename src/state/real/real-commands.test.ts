// Lines for a real machine, from what a run resolved.

import { expect, test } from "vitest";
import type { KnobValue, ResolvedKnob } from "../../engine/gen/types.ts";
import { realCommands } from "./real-commands.ts";

const stated = (values: Readonly<Record<string, KnobValue>>): readonly ResolvedKnob[] =>
  Object.entries(values).map(([path, value]) => ({ path, value, origin: "stated" }));

const lines = (values: Readonly<Record<string, KnobValue>>): readonly string[] =>
  realCommands({ cpus: 4, knobs: stated(values) }).map(({ line, needs }) => `${needs ?? "anyone"}: ${line}`);

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
  expect(lines({ "kernel.version": "4.19", "kernel.preempt": "none" })).toEqual(["build: CONFIG_PREEMPT_NONE=y"]);
  expect(lines({ "kernel.version": "6.13", "kernel.preempt": "lazy" })).toEqual([
    "boot: preempt=lazy",
    "root: echo lazy | sudo tee /sys/kernel/debug/sched/preempt",
  ]);
  expect(lines({ "kernel.version": "6.6", "kernel.preempt": "rfc2023-none" })).toEqual([]);
});

test("what the version decides, and what has no effect, needs no line", () => {
  const carried = { path: "kernel.rt_push_ipi", value: "on", origin: "known" } as const;
  const inert = { path: "kernel.ttwu_queue", value: "off", origin: "stated", inert: "there is one CPU" } as const;
  expect(realCommands({ cpus: 1, knobs: [carried, inert] })).toEqual([]);
});

test("groups come with their files, parents as they stand, and cpu.stat is read by anyone", () => {
  expect(lines({ "cgroups.shop.cpu_max": "60000 100000", "cgroups.shop/web.cpu_weight": 200 })).toEqual([
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
  expect(all[0]).toBe(`root: sudo mkdir -p '/sys/fs/cgroup/a; rm -rf $HOME \`x\` '\\''y'\\''.slice'`);
});

test("cyclictest's line has the flags of the scenario", () => {
  const own = {
    threads: "all", affinity: "auto", pinned: true, priority: 95, policy: "auto", priospread: false, interval: "100us", distance: "0us",
    loops: 0, breaktrace: 0, latency: 0, group: "/",
  }; // prettier-ignore
  const knobs = Object.fromEntries(Object.entries(own).map(([key, value]) => [`workload.cyclictest.${key}`, value]));
  expect(lines(knobs)).toEqual(["root: sudo cyclictest -t -a -p95 -i100 -d0 -m"]);
  expect(lines({ ...knobs, "workload.cyclictest.threads": 3, "workload.cyclictest.priority": 0 })).toEqual([
    "root: sudo cyclictest -t3 -a -i100 -d0 -m",
  ]);
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
  expect(lines(knobs)).toEqual(["root: sudo sh -c 'echo $$ > /sys/fs/cgroup/app/cgroup.procs && exec stress-ng --cpu 4'"]);
});

test("RT's limit is lifted before period and runtime are written, in one line", () => {
  expect(lines({ "kernel.sched_rt_runtime_us": 950000, "kernel.sched_rt_period_us": 1000000 })).toEqual([
    "root: sudo sysctl kernel.sched_rt_runtime_us=-1 kernel.sched_rt_period_us=1000000 kernel.sched_rt_runtime_us=950000",
  ]);
});

test("a slice is written as the file holds it, and a bit for PREEMPT_RT alone is off without it", () => {
  expect(lines({ "machine.cpus": 8, "kernel.version": "6.12", "kernel.base_slice": "3ms" })).toContain(
    "root: echo 12000000 | sudo tee /sys/kernel/debug/sched/base_slice_ns",
  );
  expect(lines({ "kernel.version": "7.0", "kernel.rt_push_ipi": "rt_only" })).toEqual([
    "root: echo NO_RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched/features",
  ]);
});
