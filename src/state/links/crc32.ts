// CRC-32 (IEEE 802.3, as in zip and png) as links write it.

/** The polynomial, its bits in reverse order. */
const POLYNOMIAL = 0xedb88320;
const BITS = 8;

/** Eight lower-case hex digits over the UTF-8 form of `text`. */
export function crc32Hex(text: string): string {
  let rest = -1;
  for (const byte of new TextEncoder().encode(text)) {
    rest ^= byte;
    for (let bit = 0; bit < BITS; bit += 1) rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
  }
  return (~rest >>> 0).toString(16).padStart(8, "0");
}
