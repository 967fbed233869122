// A scenario's text inside a link: `d.` + base64url of its raw deflate stream. Bounded on both
// ways.

import { deflateSync, Inflate } from "fflate";

/** Most bytes a payload may inflate to. */
export const PAYLOAD_BYTES_MAX = 65_536;

/**
 * Compressed bytes inflated at a time: a step can grow about a thousandfold, so this bounds what a
 * bomb can take.
 */
const STEP = 64;

/** undefined if the text is too big for a link. */
export function writePayload(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > PAYLOAD_BYTES_MAX) return undefined;
  const packed = deflateSync(bytes, { level: 9 });
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `d.${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

export type Payload =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly detail: string };

export function readPayload(payload: string): Payload {
  if (!payload.startsWith("d."))
    return { ok: false, detail: "its scenario is packed in a way this page does not know" };
  const packed = fromBase64Url(payload.slice(2));
  if (packed === undefined) return { ok: false, detail: "its scenario is not valid base64url" };
  try {
    const bytes = inflateBounded(packed);
    if (bytes === undefined)
      return { ok: false, detail: `its scenario unpacks to more than ${PAYLOAD_BYTES_MAX} bytes` };
    return {
      ok: true,
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return { ok: false, detail: "its scenario cannot be unpacked" };
  }
}

function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9\-_]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Throws on a broken stream; undefined when it grows past the limit. */
function inflateBounded(packed: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  const seen = { size: 0, ended: false };
  const inflate = new Inflate((part, final) => {
    parts.push(part);
    seen.size += part.length;
    seen.ended ||= final;
  });
  for (let at = 0; at < packed.length && seen.size <= PAYLOAD_BYTES_MAX; at += STEP) {
    inflate.push(packed.slice(at, at + STEP), at + STEP >= packed.length);
  }
  if (seen.size > PAYLOAD_BYTES_MAX) return undefined;
  if (!seen.ended) throw new Error("the stream has no end");
  const out = new Uint8Array(seen.size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
