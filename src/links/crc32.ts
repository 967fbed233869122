// CRC-32 (IEEE 802.3, as in zip and png) as links write it.

import crc32 from "crc-32";

/** Eight lower-case hex digits over the UTF-8 form of `text`. */
export function crc32Hex(text: string): string {
  return (crc32.str(text) >>> 0).toString(16).padStart(8, "0");
}
