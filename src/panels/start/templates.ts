// Small scenarios to start from, each with one thing to change first.

import { TEMPLATE, templateText } from "../../scenario/template.ts";

export interface Template {
  readonly id: string;
  /** At most four words. */
  readonly name: string;
  readonly text: string;
}

const QUOTA = templateText(
  "What does a quota of half a CPU cost?",
  "500ms",
  `  "cgroups": {
    "web": { "cpu_max": "50000 100000" }
  },
  "workload": {
    "tasks": {
      "server": { "taskgroup": "/web", "loop": -1, "run": 8000, "sleep": 2000 },
      "other": { "loop": -1, "run": 1000, "sleep": 1000 }
    }
  },
  "variants": [
    { "name": "half a CPU", "set": {} },
    { "name": "no limit", "set": { "cgroups.web.cpu_max": "max 100000" } }
  ],
  "knobs": ["cgroups.web.cpu_max", "machine.cpus"],
  "headline": ["groups.web.nr_throttled", "tasks.server.0.run_ns"]`,
);

const REAL_TIME = templateText(
  "What does an RT task take from a fair one?",
  "20ms",
  `  "workload": {
    "tasks": {
      "control": { "policy": "SCHED_FIFO", "priority": 50, "loop": -1, "run": 300, "sleep": 700 },
      "worker": { "loop": -1, "run": 500, "sleep": 100 }
    }
  },
  "variants": [
    { "name": "one CPU", "set": { "machine.cpus": 1 } },
    { "name": "four CPUs", "set": { "machine.cpus": 4 } }
  ],
  "headline": ["latency.control.max_ns", "latency.worker.max_ns"]`,
);

const LEAST = templateText(
  "One task alone",
  "5ms",
  `  "workload": {
    "tasks": {
      "task": { "loop": -1, "run": 300, "sleep": 700 }
    }
  }`,
);

export const TEMPLATES: readonly Template[] = [
  { id: "two-tasks", name: "two tasks, one CPU", text: TEMPLATE },
  { id: "quota", name: "a group with quota", text: QUOTA },
  { id: "rt-task", name: "an RT task", text: REAL_TIME },
  { id: "least", name: "the least there is", text: LEAST },
];
