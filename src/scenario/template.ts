// What an own scenario starts as: small, working, and with a part of each kind that one is most
// likely to change.

/**
 * The text of a scenario to start from; `rest`: what it has beside the machine and the kernel of
 * all of them.
 */
export function templateText(title: string, duration: string, rest: string): string {
  return `{
  "schema": 1,
  "title": "${title}",
  "duration": "${duration}",
  "machine": { "cpus": 4 },
  "kernel": { "version": "6.12" },
${rest}
}
`;
}

export const TEMPLATE = templateText(
  "How long does sleeper wait for a busy CPU?",
  "20ms",
  `  "workload": {
    "tasks": {
      "worker": { "loop": -1, "run": 1000, "cpus": [0] },
      "sleeper": { "loop": -1, "run": 600, "sleep": 400, "cpus": [0] }
    }
  },
  "variants": [
    { "name": "6.1", "set": { "kernel.version": "6.1" } },
    { "name": "6.12", "set": { "kernel.version": "6.12" } }
  ],
  "headline": ["latency.sleeper.max_ns", "sched.context_switches"]`,
);
