// How busy each part of the run is: events and slices per equal stretch of time. True of counts;
// must not know pixels. The stretches double when the run outgrows them, so that a run of any
// length keeps between 512 and 1024 of them.

const STRETCHES = 1024;

export class Density {
  private counts = new Float64Array(STRETCHES);
  private widthNs = 1024;
  /** What all stretches cover, ns. */
  private reachNs = 1024 * STRETCHES;

  add(ns: number): void {
    while (ns >= this.reachNs) this.widen();
    const at = Math.floor(ns / this.widthNs);
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }

  /**
   * Events and slices in each of `parts` equal parts of [0, toNs); a stretch that spans two parts
   * is shared out.
   */
  profile(toNs: number, parts: number): Float64Array {
    const profile = new Float64Array(parts);
    const partNs = toNs / parts;
    for (const [at, count] of this.counts.entries()) {
      if (count === 0) continue;
      const from = (at * this.widthNs) / partNs;
      const to = ((at + 1) * this.widthNs) / partNs;
      for (let part = Math.floor(from); part < Math.min(parts, to); part += 1) {
        const share = (Math.min(to, part + 1) - Math.max(from, part)) / (to - from);
        profile[part] = (profile[part] ?? 0) + count * share;
      }
    }
    return profile;
  }

  private widen(): void {
    const merged = new Float64Array(STRETCHES);
    for (const [at, count] of this.counts.entries())
      merged[at >> 1] = (merged[at >> 1] ?? 0) + count;
    this.counts = merged;
    this.widthNs *= 2;
    this.reachNs *= 2;
  }
}
