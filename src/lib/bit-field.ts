// Parts of packed columns. Which parts there are is generated from the engine
// (src/engine/gen/catalogue.ts).

/**
 * The place of a part: `mask` is what is left of the column after shifting right by `shift` bits.
 */
export interface BitField {
  readonly shift: number;
  readonly mask: number;
}

/** A part's value, a whole number from 0 to `mask`. */
export function fieldOf(field: BitField, column: number): number {
  return (column >>> field.shift) & field.mask;
}

/** A column with `value` in this part and 0 in all others. */
export function fieldPut(field: BitField, value: number): number {
  return ((value & field.mask) << field.shift) >>> 0;
}
