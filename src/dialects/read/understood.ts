// What the paste box makes of a text in another tool's language. A reader of one language answers
// with this, and with nothing where the text is in another language. Readers know texts only:
// whether a scenario can run is for the scenario crate to say.

import type { LinkContent, RawSet } from "../../links/link-types.ts";
import type { RealCommand } from "../write/real-command.ts";

/** Longest text that is read, characters. */
export const TEXT_MAX = 65_536;
/** Most lines of it. */
export const LINES_MAX = 4_000;
/** Most CPUs of a machine here. */
export const CPUS_MAX = 1_024;

/** What the page opens. */
export type Opens =
  | { readonly kind: "scenario"; readonly text: string; readonly search: RawSet | undefined }
  /** A shipped scenario with switches turned, on A and on B. */
  | { readonly kind: "preset"; readonly slug: string; readonly a: RawSet; readonly b: RawSet };

/** A text that was understood. */
export interface Understood {
  readonly kind: "understood";
  /** The language: "cpu.max". */
  readonly language: string;
  /** What the text says, one sentence. */
  readonly what: string;
  /** What follows from the text by arithmetic, a sentence each. */
  readonly follows: readonly string[];
  /** What the text does not say and what is assumed instead, a sentence each. */
  readonly unknown: readonly string[];
  /** undefined: something is missing, and `unknown` says what. */
  readonly opens: Opens | undefined;
  readonly commands: readonly RealCommand[];
}

/**
 * A text in a known language that says something impossible, or something that has no counterpart
 * here.
 */
export interface Refused {
  readonly kind: "refused";
  readonly language: string;
  /** What is wrong and what was expected. */
  readonly wrong: string;
}

export type Reading = Understood | Refused;

/** Reads one language; undefined where the text is in another one. */
export type Reader = (text: string) => Reading | undefined;

export function refused(language: string, wrong: string): Refused {
  return { kind: "refused", language, wrong };
}

/**
 * The link that opens what was understood; `searching`: with the window that looks for the smallest
 * limit filled in.
 */
export function contentOf(opens: Opens, searching: boolean): LinkContent {
  const nothing = { both: [], a: [], b: [], view: {}, unknown: [] };
  if (opens.kind === "preset")
    return { ...nothing, slug: opens.slug, scenario: undefined, a: opens.a, b: opens.b };
  const sweep = searching ? opens.search : undefined;
  return {
    ...nothing,
    slug: undefined,
    scenario: opens.text,
    ...(sweep === undefined ? {} : { sweep }),
  };
}

/** A scenario's text as a person would lay it out. */
export function scenarioText(scenario: object): string {
  return `${JSON.stringify(scenario, undefined, 2)}\n`;
}

const QUOTED_MAX = 40;

/** A piece of the pasted text inside a sentence, cut short. */
export function quoted(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  return `“${plain.length > QUOTED_MAX ? `${plain.slice(0, QUOTED_MAX)}…` : plain}”`;
}

/** "a, b and c". */
export function listed(items: readonly string[]): string {
  const [last = ""] = items.slice(-1);
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}

/** At most `most` of the items, and how many more there are. */
export function someOf(items: readonly string[], most = 6): string {
  return items.length <= most
    ? listed(items)
    : `${items.slice(0, most).join(", ")} and ${items.length - most} more`;
}
