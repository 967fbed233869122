// Links through the public door: the fixtures every reader agrees on, and that no cut link opens
// anything.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import fixtures from "../../e2e/fixtures/links.json" with { type: "json" };
import { escapeText, unescapeText } from "./link-frame.ts";
import { PAYLOAD_BYTES_MAX, readPayload, writePayload } from "./link-payload.ts";
import type { LinkContent } from "./link-types.ts";
import { checkComplete, upgradeItems } from "./link-upgrade.ts";
import { readFragment, readLink, writeAddress, writeFragment } from "./link.ts";

interface Fixture {
  readonly name: string;
  readonly address: string;
  readonly ok?: {
    readonly slug: string | null;
    readonly scenario?: string;
    readonly a: unknown;
    readonly b: unknown;
    readonly view: unknown;
    readonly unknown: unknown;
    readonly live?: unknown;
    readonly keepsStated?: true;
  };
  readonly error?: Readonly<Record<string, unknown>>;
}

const CASES = fixtures.links as readonly Fixture[];

describe("every reader reads the fixtures alike", () => {
  test.each(CASES.filter((each) => each.ok !== undefined))("opens: $name", ({ address, ok }) => {
    const result = readLink(address);
    if (!result.ok) throw new Error(`refused: ${result.problem.code}`);
    const { slug, scenario, both, a, b, live, view, figures, strips, unknown, keepsStated } =
      result.content;
    const { sweep = [], which = [] } = result.content;
    const asked = Object.fromEntries<string>([
      ...sweep.map(([key, text]) => [`sweep.${key}`, text] as const),
      ...which.map(([key, text]) => [`bisect.${key}`, text] as const),
    ]);
    const rows = Object.fromEntries(
      (strips ?? []).map((name, index) => [`strip.${"cd".charAt(index)}`, name]),
    );
    const shown = {
      ...view,
      ...asked,
      ...rows,
      ...Object.fromEntries((figures ?? []).map(([metric, values]) => [`was.${metric}`, values])),
    };
    const sides = { a: [...both, ...a], b: [...both, ...b] };
    const changes = live?.map(({ where, at, path, text }) => [where, at, path, text]);
    expect({
      slug: slug ?? null,
      scenario,
      ...sides,
      live: changes,
      view: shown,
      unknown,
      keepsStated,
    }).toEqual({
      scenario: undefined,
      live: undefined,
      ...ok,
    });
  });

  test.each(CASES.filter((each) => each.error !== undefined))(
    "refuses: $name",
    ({ address, error }) => {
      const result = readLink(address);
      if (result.ok) throw new Error("it was opened");
      // `detail` is for people and worded freely.
      expect({ ...result.problem, detail: undefined, slug: result.problem.slug ?? null }).toEqual({
        ...error,
        detail: undefined,
      });
    },
  );
});

const path = fc.stringMatching(/^[a-z][a-z_.]{0,20}$/);
const rawSet = fc.uniqueArray(fc.tuple(path, fc.string({ unit: "grapheme", maxLength: 12 })), {
  selector: ([key]) => key,
  maxLength: 4,
});
const content: fc.Arbitrary<LinkContent> = fc.record({
  slug: fc.constant("rt-pull-herd"),
  scenario: fc.constant(undefined),
  both: rawSet.map((set) => set.filter(([key]) => key !== "seed")),
  a: rawSet,
  b: rawSet,
  live: fc.constantFrom(
    [{ where: "k" as const, at: "1500us", path: "kernel.rt_push_ipi", text: "off" }],
    [{ where: "b" as const, at: "7ns", path: 'cgroups."a.b".cpu_max', text: "1 2" }],
  ),
  figures: fc.constantFrom(
    [["rq_lock.max_waiters", "12_-"] as const],
    [["groups.a.silo_ns", "-5"] as const],
  ),
  view: fc.constantFrom(
    {},
    { t: "10ms-12ms", p: "10.5ms", lay: "b", sel: "cyclictest.12.w41" },
    { e: "0.1", was: "12_-_3", fp: "0123abcd" },
  ),
  unknown: fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^x[a-z]{1,5}$/), fc.string({ unit: "grapheme", maxLength: 8 })),
    {
      selector: ([key]) => key,
      maxLength: 3,
    },
  ),
});

test("what is written is read back as it was, whatever is in it", () => {
  fc.assert(
    fc.property(content, (written) => {
      const address = writeAddress(written) ?? "";
      expect(readLink(`https://any.host/folder/${address}`)).toEqual({
        ok: true,
        content: written,
      });
    }),
  );
});

test("an unreadable view value is kept until there is one of our own to write, so that no key stands twice", () => {
  const came = readLink(
    `s/x/#${writeFragment({ slug: "x", scenario: undefined, both: [], a: [], b: [], view: { was: "many", fp: "?" }, unknown: [] }) ?? ""}`,
  );
  if (!came.ok) throw new Error(`refused: ${came.problem.code}`);
  expect(came.content.unknown).toEqual([
    ["was", "many"],
    ["fp", "?"],
  ]);
  const sent = readLink(writeAddress({ ...came.content, view: { was: "12" } }) ?? "");
  expect(sent).toMatchObject({
    ok: true,
    content: { view: { was: "12" }, unknown: [["fp", "?"]] },
  });
});

test("a fragment holds only characters that survive chat and mail", () => {
  fc.assert(
    fc.property(content, (written) => {
      expect(writeFragment(written)).toMatch(/^[A-Za-z0-9\-._~=&]*$/);
    }),
  );
});

test("a link cut anywhere is called cut and never opens a default", () => {
  fc.assert(
    fc.property(content, (written) => {
      const fragment = writeFragment(written) ?? "";
      for (let end = 1; end < fragment.length; end += 1) {
        const result = readFragment({ slug: "rt-pull-herd", fragment: fragment.slice(0, end) });
        expect(result).toMatchObject({ ok: false, problem: { code: "cut", slug: "rt-pull-herd" } });
      }
    }),
    { numRuns: 30 },
  );
});

test("one changed character never opens", () => {
  fc.assert(
    fc.property(
      content,
      fc.nat(),
      fc.constantFrom("a", "z", "0", "9", "-", ".", "_", "~", "=", "&"),
      (written, where, replacement) => {
        const fragment = writeFragment(written) ?? "";
        if (fragment === "") return;
        const at = where % fragment.length;
        fc.pre(fragment[at] !== replacement);
        expect(
          readFragment({
            slug: "x",
            fragment: fragment.slice(0, at) + replacement + fragment.slice(at + 1),
          }).ok,
        ).toBe(false);
      },
    ),
  );
});

test("escapes come back as the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

test("a scenario comes back from its payload, and one too big for a link gets none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(readPayload(writePayload(text) ?? "")).toEqual({ ok: true, text });
    }),
  );
  expect(writePayload("x".repeat(PAYLOAD_BYTES_MAX))).toBeDefined();
  expect(writePayload("x".repeat(PAYLOAD_BYTES_MAX + 1))).toBeUndefined();
});

test("a missing upgrader is found at load, not when an old link comes", () => {
  expect(() => checkComplete(new Map(), 2)).toThrow("version 1 to 2");
  const steps = new Map([
    [1, (items: readonly (readonly [string, string])[]) => [...items, ["new", "1"] as const]],
  ]);
  expect(() => checkComplete(steps, 2)).not.toThrow();
  expect(upgradeItems([["old", "1"]], 1, steps, 2)).toEqual([
    ["old", "1"],
    ["new", "1"],
  ]);
});
