// The anchor of a heading or a term on the pages made of docs/.

/** The anchor that GitHub and `cargo xtask tidy` make: "Push IPI: chain" is `push-ipi-chain`. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
