/**
 * Paths of the metrics that a scenario speaks of: in its headline, and in the captions of its
 * steps.
 */
export function namedFigures(scenario: {
  readonly headline?: readonly string[];
  readonly steps?: readonly { readonly caption: string }[];
}): readonly string[];
