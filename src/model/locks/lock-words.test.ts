import { expect, test } from "vitest";
import { lockWords } from "./lock-words.ts";

test("a lock is called a lock once", () => {
  const names = ["rq 3", "rto_lock", "rto_lock 1", "push_lock 12", "cfs_b /web"];
  expect(names.map(lockWords)).toEqual([
    "rq 3 lock",
    "rto_lock",
    "rto_lock 1",
    "push_lock 12",
    "cfs_b /web lock",
  ]);
});
