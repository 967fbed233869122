// Which addresses are opened as Perfetto's, and which one is kept.

import { expect, test } from "vitest";
import { checkedAddress, keepAddress, keptAddress, PERFETTO } from "./perfetto-address.ts";

test("an address is one of http or https, without a user, and the refusal says what is expected", () => {
  for (const text of [PERFETTO, " http://127.0.0.1:10000 ", "https://host.example/perfetto/#!/"])
    expect(checkedAddress(text), text).toHaveProperty("url");
  for (const [text, wrong] of [
    ["", /^Expected an address such as/],
    ["ui.perfetto.dev", /^Expected an address such as/],
    ["localhost:10000", /in front, found localhost:$/],
    ["javascript:alert(1)", /in front, found javascript:$/],
    ["data:text/html,x", /in front, found data:$/],
    ["https://me:secret@host.example/", /without a user/],
    [`https://host.example/${"x".repeat(3_000)}`, /^Expected/],
  ] as const)
    expect(checkedAddress(text), text).toEqual({ wrong: expect.stringMatching(wrong) as string });
});

test("the kept address comes back for this site alone; one that was tampered with does not", () => {
  const kept = new Map<string, string>();
  const storage = () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  expect(keptAddress("/", storage)).toBe(PERFETTO);
  keepAddress("/", storage, "http://127.0.0.1:10000/");
  expect(keptAddress("/", storage)).toBe("http://127.0.0.1:10000/");
  expect(keptAddress("/other/", storage)).toBe(PERFETTO);
  for (const key of kept.keys()) kept.set(key, "javascript:alert(1)");
  expect(keptAddress("/", storage)).toBe(PERFETTO);
});
