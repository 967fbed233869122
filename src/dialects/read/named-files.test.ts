// cpu.stat of a run as `schedscope export --to cpu.stat` writes it, pasted into the box.

import { expect, test } from "vitest";
import { readPaste } from "./read-paste.ts";

const V2 = [
  "==> /sys/fs/cgroup/app/cpu.stat <==",
  "usage_usec 1600616\nuser_usec 1600000\nsystem_usec 616",
  "nr_periods 30\nnr_throttled 3\nthrottled_usec 825931\nnr_bursts 0\nburst_usec 0",
  "",
  "==> /sys/fs/cgroup/app/cpu.stat.local <==",
  "throttled_usec 825931",
];

function whatOf(text: string): { what: string; unknown: string } {
  const reading = readPaste(text);
  if (reading.kind !== "understood") throw new Error(JSON.stringify(reading));
  return { what: reading.what, unknown: reading.unknown.join(" ") };
}

test("cpu.stat with cpu.stat.local under their names is one cpu.stat", () => {
  const { what, unknown } = whatOf(V2.join("\n"));
  expect(what).toContain("10.0 % of its periods (3 of 30)");
  expect(unknown).toContain("The limit is missing");
  expect(unknown).not.toContain("several groups");
});

test("of several groups the first is read, and the text says so", () => {
  const second = V2.join("\n")
    .replaceAll("/app/", "/db/")
    .replace("nr_throttled 3", "nr_throttled 9");
  const { what, unknown } = whatOf(`${V2.join("\n")}\n\n${second}`);
  expect(what).toContain("(3 of 30)");
  expect(unknown).toContain("Of several groups only the first one's cpu.stat is read.");
});

test("cgroup v1's cpuacct.usage and a limit beside it do not disturb", () => {
  const { what } = whatOf(
    [
      "==> /sys/fs/cgroup/app/cpu.max <==\n100000 100000\n",
      "==> /sys/fs/cgroup/cpu/app/cpu.stat <==\nnr_periods 100\nnr_throttled 10\nthrottled_time 5000000000\n",
      "==> /sys/fs/cgroup/cpuacct/app/cpuacct.usage <==\n86000000000",
    ].join("\n"),
  );
  expect(what).toContain("10.0 % of its periods (10 of 100)");
  expect(what).toContain("100 ms in every 100 ms");
});
