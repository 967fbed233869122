// A file as text, where it is one and not too long. Its first bytes say whether it is text.

import { TEXT_MAX } from "../../engine/paste-protocol.ts";

export type FileText =
  | { readonly ok: true; readonly text: string }
  /** What was expected and what the file is. */
  | { readonly ok: false; readonly problem: string };

export async function readTextFile(file: Blob): Promise<FileText> {
  if (file.size > TEXT_MAX)
    return {
      ok: false,
      problem: `expected a file of at most ${TEXT_MAX / 1024} kB, got ${Math.ceil(file.size / 1024)} kB: open an excerpt`,
    };
  const text = await file.text().catch(() => undefined);
  if (text === undefined) return { ok: false, problem: "The browser cannot read this file." };
  return text.includes("\0")
    ? { ok: false, problem: "expected a text, got a file of other bytes" }
    : { ok: true, text };
}
