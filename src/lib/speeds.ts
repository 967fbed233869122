// How fast the playhead can go.

/** Ns of machine time per second of wall time: from a microsecond a second to real time. */
export const SPEEDS: readonly number[] = [1e3, 5e3, 2e4, 1e5, 5e5, 2e6, 1e7, 5e7, 2e8, 1e9];
