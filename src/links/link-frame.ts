// The frame of a link, the same in every version: `v=V.L`, items, `c=` check value. It
// distinguishes a cut link from a changed or a newer one, and knows nothing of what the items mean.

import { crc32Hex } from "./crc32.ts";
import type { LinkProblem } from "./link-types.ts";

export type Items = readonly (readonly [key: string, value: string])[];
type FrameProblem = Omit<LinkProblem, "slug">;
export type FrameResult =
  | { readonly ok: true; readonly version: number; readonly items: Items }
  | { readonly ok: false; readonly problem: FrameProblem };

const START = /^v=([1-9]\d{0,8})\.([1-9]\d{0,8})&/;
/** Every beginning of a START, the whole of it without its `&` included. */
const BEGINNING = /^v(=([1-9]\d{0,8}(\.([1-9]\d{0,8})?)?)?)?$/;
const ALPHABET = /^[A-Za-z0-9\-._~=&]*$/;
const END = /&c=([0-9a-f]{8})$/;

/** Marks that a sentence puts behind an address, and that no link ends in. */
const SENTENCE = /^[.,;:!?)\]>"'”’]+$/;

/** `~XX` for every byte outside the plain characters. */
export function escapeText(text: string): string {
  let out = "";
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9\-._]/.test(char)
      ? char
      : `~${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** The reverse; undefined for a broken escape or bytes that are not UTF-8. */
export function unescapeText(text: string): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== "~") {
      bytes.push(text.charCodeAt(at));
      continue;
    }
    const hex = text.slice(at + 1, at + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return undefined;
    bytes.push(Number.parseInt(hex, 16));
    at += 2;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
    );
  } catch {
    return undefined;
  }
}

/**
 * Writes a fragment without its `#`. The length counts its own digits, so it is looked for until it
 * fits.
 */
export function writeFrame(version: number, items: Items): string {
  const body = items.map(([key, value]) => `&${escapeText(key)}=${escapeText(value)}`).join("");
  const fixed = `v=${version}.`.length + body.length + "&c=01234567".length;
  let length = fixed + 1;
  while (length !== fixed + `${length}`.length) length = fixed + `${length}`.length;
  const checked = `v=${version}.${length}${body}`;
  return `${checked}&c=${crc32Hex(checked)}`;
}

/** Reads a fragment that is not empty. `newest` is the version this page speaks. */
export function readFrame(raw: string, newest: number): FrameResult {
  const arrived = raw.includes("%") ? percentDecoded(raw) : raw;
  if (arrived === undefined) return refuse({ code: "changed" });
  const start = START.exec(arrived);
  if (start === null) {
    if (BEGINNING.test(arrived)) return refuse({ code: "cut" });
    // With neither a link's beginning nor its end it most likely never was one.
    return refuse(
      END.test(arrived)
        ? { code: "changed" }
        : { code: "changed", detail: "its end is missing, or it was changed by hand" },
    );
  }
  const version = Number(start[1]);
  const length = Number(start[2]);
  const fragment = SENTENCE.test(arrived.slice(length)) ? arrived.slice(0, length) : arrived;
  if (fragment.length < length) return refuse({ code: "cut", arrived: fragment.length, length });
  const check = END.exec(fragment);
  const intact =
    fragment.length === length &&
    ALPHABET.test(fragment) &&
    check?.[1] === crc32Hex(fragment.slice(0, -11));
  if (!intact) return refuse({ code: "changed" });
  if (version > newest) return refuse({ code: "newer", version });
  const items = readItems(fragment.slice(start[0].length, -11));
  return items === undefined ? refuse({ code: "malformed" }) : { ok: true, version, items };
}

function refuse(problem: FrameProblem): FrameResult {
  return { ok: false, problem };
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Items between the frame's two ends; undefined if one is malformed or a key comes twice. */
function readItems(text: string): Items | undefined {
  const items = new Map<string, string>();
  if (text === "") return [];
  for (const item of text.split("&")) {
    const [rawKey, rawValue, ...more] = item.split("=");
    if (rawKey === undefined || rawValue === undefined || more.length > 0) return undefined;
    const key = unescapeText(rawKey);
    const value = unescapeText(rawValue);
    if (key === undefined || key === "" || value === undefined || items.has(key)) return undefined;
    items.set(key, value);
  }
  return [...items];
}
