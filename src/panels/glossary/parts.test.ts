// The glossary's names in prose: the list is the glossary's own, and what is found is what a reader
// would look up.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namesIn } from "../../../scripts/docs/markdown.ts";
import { EVERYDAY, NAMES, OF_QUOTA } from "./names.ts";
import { isOfQuota, partsOf } from "./parts.ts";

const GLOSSARY = readFileSync(join(import.meta.dirname, "../../../docs/model/glossary.md"), "utf8");

/** "[term=anchor]" for each name found. */
function marked(text: string, quota = true): string {
  const parts = partsOf(text, { seen: new Set(), quota });
  return parts
    .map((part) => (part.anchor === undefined ? part.text : `[${part.text}=${part.anchor}]`))
    .join("");
}

test("every name of the glossary is in the list or said to be an everyday word, and no other", () => {
  const rows = [...GLOSSARY.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap(([, cell = ""]) => namesIn(cell))
    .filter((name) => name !== "term");
  expect(rows.length).toBeGreaterThan(80);
  expect([...Object.keys(NAMES), ...EVERYDAY].sort()).toEqual([...new Set(rows)].sort());
  for (const name of OF_QUOTA) expect(NAMES).toHaveProperty(name);
});

test.each([
  ["The quota of a group. Its Quota is", "The [quota=quota] of a group. Its Quota is"],
  ["Quotas and IPIs", "[Quotas=quota] and [IPIs=ipi]"],
  ["RT throttling, then throttled", "[RT throttling=rt-throttling], then [throttled=throttle]"],
  [
    "unthrottled CPUs leave the run\nqueue",
    "[unthrottled=unthrottle] CPUs leave the [run\nqueue=run-queue]",
  ],
  [
    "need_resched_lazy before need_resched",
    "[need_resched_lazy=need_resched_lazy] before [need_resched=need_resched]",
  ],
  ["RT_PUSH_IPI stays whole", "[RT_PUSH_IPI=rt_push_ipi] stays whole"],
  ["The slack timer.", "The [slack timer=slack-timer]."],
  [
    "A burst of work needs a quota burst, cpu.max.burst",
    "A burst of work needs a [quota burst=quota-burst], cpu.max.burst",
  ],
])("%s", (text, words) => {
  expect(marked(text)).toBe(words);
});

test.each([
  "rt-pull-herd",
  "kernel.hz=250",
  "pull_rt_task()",
  "kernel/sched/tick.c",
  "flags, ticking, hertz",
  "a burst of work",
  "Hz",
  "",
])("no name in %j", (text) => {
  expect(marked(text)).toBe(text);
});

test("a slice is the quota's only where a quota is spoken of", () => {
  expect(isOfQuota("Each task has a slice.")).toBe(false);
  expect(isOfQuota("Quotas are handed out.")).toBe(true);
  expect(marked("a slice", false)).toBe("a slice");
  expect(marked("a slice", true)).toBe("a [slice=slice]");
});

test("a block names each term once, over all its texts", () => {
  const block = { seen: new Set<string>(), quota: true };
  expect(partsOf("a silo", block)).toContainEqual({ text: "silo", anchor: "silo" });
  expect(partsOf("two silos", block)).toEqual([{ text: "two silos" }]);
});
