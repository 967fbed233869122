// cpu.stat of groups that are throttled although they use far less than their quota.

import { beforeAll, describe, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { preparedSides, understood } from "../../testing/pasted.ts";

beforeAll(loadEngine);

const STRANDED =
  "cpu.max 10000 100000\nusage_usec 271000\nnr_periods 50\nnr_throttled 50\nthrottled_usec 20000000";

describe("a cpu.stat whose use is far below the quotas of its throttled periods", () => {
  test("opens quota-stranded with the pasted limit on both sides, and says that bursts did not make the figures", () => {
    const { opens, unknown, follows } = understood(STRANDED);
    expect(follows.join(" ")).toContain("kernels before 5.4 let it expire");
    expect(unknown.join(" ")).toContain("Bursts of work did not make these figures");
    expect(unknown.join(" ")).not.toContain("does not match");
    const set = [["cgroups.fibtest.cpu_max", "10000 100000"]];
    expect(opens).toEqual({ kind: "preset", slug: "quota-stranded", a: set, b: set });
  });

  test("opens it for a limit of any size with enough threads and CPUs to use the limit up", () => {
    for (const quotaUs of [1_000, 99_000, 100_000, 250_000, 60_000_000, 100_000_000]) {
      const text = `cpu.max ${quotaUs} 100000\nusage_usec ${quotaUs * 75}\nnr_periods 600\nnr_throttled 300\nthrottled_usec 90000000`;
      const { opens, unknown } = understood(text);
      if (opens?.kind !== "preset") throw new Error(`${quotaUs} opens no shipped scenario`);
      expect(opens.slug).toBe("quota-stranded");
      expect(unknown.join(" ")).not.toContain("% more");
      expect(preparedSides(opens).a.setup, String(quotaUs)).not.toBe("");
    }
  });

  test("of a kernel that counts bursts is told by another limit, because nothing expires there", () => {
    const { opens, follows, unknown } = understood(`${STRANDED}\nnr_bursts 0\nburst_usec 0`);
    expect(opens).toMatchObject({ kind: "scenario" });
    expect(follows.join(" ")).toContain(
      "the limit was different then. Kernels with a burst (5.14 on) let no run time expire.",
    );
    expect(unknown.join(" ")).toContain("Bursts of work did not make these figures");
  });

  test("ends where a program that uses its quota up can make them", () => {
    expect(understood(STRANDED.replace("271000", "500000")).opens).toMatchObject({
      kind: "scenario",
    });
  });
});
