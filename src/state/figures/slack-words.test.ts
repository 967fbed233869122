import { expect, test } from "vitest";
import type { RunMeta } from "../../engine/gen/types.ts";
import type { WakeRecord, WakeSegment } from "../../model/types.ts";
import { slackWords } from "./slack-words.ts";

function wordsOf(policy: string, jitterNs: number, ns: number, cause = 0, fromNs = 1_000): string | undefined {
  const meta = { tasks: [{ policy }], costs: [{ name: "timer_jitter_ns", value: jitterNs }] } as unknown as RunMeta;
  return slackWords(meta, { taskId: 0, dueNs: 1_000 } as WakeRecord, { cause, fromNs, ns } as WakeSegment);
}

test("a fair task's slack is told beside the delay that holds it, and nobody else's", () => {
  expect(wordsOf("SCHED_OTHER", 0, 52_300)).toBe("50 µs of it is timer slack");
  expect(wordsOf("SCHED_OTHER", 20_000, 52_300)).toBe("up to 40 µs of it is timer slack");
  expect(wordsOf("SCHED_OTHER", 30_000, 7_000)).toBe("up to 7 µs of it is timer slack");
  expect(wordsOf("SCHED_OTHER", 0, 3_000), "shorter than the slack: no timer woke it").toBeUndefined();
  expect(wordsOf("SCHED_OTHER", 0, 52_300, 2)).toBeUndefined();
  expect(wordsOf("SCHED_OTHER", 0, 52_300, 0, 9_000), "a later stretch").toBeUndefined();
  expect(wordsOf("SCHED_FIFO", 0, 52_300)).toBeUndefined();
});
