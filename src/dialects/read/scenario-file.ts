// A scenario of this page, pasted whole: it opens as it is.

import { plainText } from "../../engine/plain.ts";
import { quoted, refused, type Reading } from "./understood.ts";

const LANGUAGE = "scenario";

export function readOwnFile(text: string): Reading | undefined {
  if (!text.trimStart().startsWith("{") || !/"schema"\s*:/.test(text)) return undefined;
  const scenario = objectIn(text);
  if (scenario === undefined)
    return refused(
      LANGUAGE,
      "A scenario is strict JSON; this text is not. Open the editor to see where.",
    );
  if (!("workload" in scenario)) return undefined;
  const title =
    typeof scenario["title"] === "string" ? `: ${quoted(plainText(scenario["title"]))}` : "";
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `This is a scenario of this page${title}.`,
    follows: [],
    unknown: [],
    opens: { kind: "scenario", text, search: undefined },
    commands: [],
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
