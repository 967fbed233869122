// The figures of shipped runs, which are known before anything is computed.

/**
 * What is known of one run: how long it is, what it writes, on how many CPUs, and the metrics that
 * its scenario names, as the report has them.
 */
export interface KnownRun {
  readonly simulatedNs: number;
  /** Trace records. */
  readonly records: number;
  readonly cpus: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** By scenario and variant. */
export type ShippedFigures = Readonly<Record<string, Readonly<Record<string, KnownRun>>>>;
