// A scenario with a quota that more than one test opens.

/** Three hogs and five that nap, 10 or 20 ms of every 100 for all of them. */
export const SCENARIO = JSON.stringify(
  {
    schema: 1,
    title: "Where did the quota go?",
    duration: "300ms",
    seed: 3,
    machine: { cpus: 8, costs: "modern_2s_qspin" },
    kernel: { version: "6.1" },
    cgroups: { web: { cpu_max: "10000 100000", period_phase: "20ms" } },
    workload: {
      tasks: {
        hog: { instance: 3, run: 1000, taskgroup: "/web" },
        nap: { instance: 5, run: 100, sleep: 9000, taskgroup: "/web" },
      },
    },
    variants: [
      { name: "10 ms", set: { "cgroups.web.cpu_max": "10000 100000" } },
      { name: "20 ms", set: { "cgroups.web.cpu_max": "20000 100000" } },
    ],
    knobs: ["cgroups.web.cpu_max"],
    headline: ["groups.web.usage_ns"],
  },
  undefined,
  2,
);
