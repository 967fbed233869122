// Numbers of a sentence as words: "400 us" and "0.4 ms" are both of the size of a lock's wait, "100
// ms" of a quota's period. Knows units, no scenarios.
//
//   ~us       a time below 1 ms             ~percent  any share
//   ~tick     1 to 12 ms                    ~full     95 % and more
//   ~period   above 12, up to 300 ms        ~low      60 % and less
//   ~long     a longer time                 ~many     24 CPUs and more
//   ~version  a kernel's version

import { folded } from "../../lib/match.ts";

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  usec: 1e3,
  usecs: 1e3,
  microsecond: 1e3,
  microseconds: 1e3,
  ms: 1e6,
  msec: 1e6,
  msecs: 1e6,
  millisecond: 1e6,
  milliseconds: 1e6,
  s: 1e9,
  sec: 1e9,
  secs: 1e9,
  second: 1e9,
  seconds: 1e9,
};
const TIME = Object.keys(UNITS).join("|");
/** At most 12 digits: a longer number is no measurement. */
const QUANTITY = new RegExp(
  `(?<![\\p{L}\\d._])(\\d{1,12}(?:\\.\\d{1,6})?)[ \\t-]?(?:(${TIME})|(%|percent\\b)|((?:cpu|core|vcpu|thread|way)s?))(?![\\p{L}\\d])`,
  "gu",
);
const VERSION = /(?<![\p{L}\d.])v?[2-9]\.\d{1,2}(?:\.\d{1,3})?(?![\d%]|\.\d|\s?[mun]?s\b|\s?%)/u;

export interface Measured {
  /** What is left without its quantities; a version stays. */
  readonly text: string;
  /** What the quantities are, each once. */
  readonly words: readonly string[];
}

/** `text`: in any letters, of any length that was bounded before. */
export function measured(text: string): Measured {
  const words = new Set<string>();
  const plain = folded(text);
  const left = plain.replaceAll(
    QUANTITY,
    (_whole, digits: string, time?: string, share?: string, cpus?: string) => {
      const value = Number(digits);
      if (time !== undefined) words.add(timeWord(value * (UNITS[time] ?? 1)));
      else if (share !== undefined) shareWords(value).forEach((word) => words.add(word));
      else if (value >= 24) words.add("~many");
      return cpus === undefined ? " " : ` ${cpus} `;
    },
  );
  if (VERSION.test(left)) words.add("~version");
  return { text: left, words: [...words] };
}

function timeWord(ns: number): string {
  if (ns < 1e6) return "~us";
  if (ns <= 12e6) return "~tick";
  return ns <= 300e6 ? "~period" : "~long";
}

function shareWords(percent: number): readonly string[] {
  if (percent >= 95) return ["~percent", "~full"];
  return percent <= 60 ? ["~percent", "~low"] : ["~percent"];
}
