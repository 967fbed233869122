// How much is looked at: `npm run test:long` looks at every scenario in every theme and at every size, `npm test` takes turns.

/** Set by `npm run test:long`. */
export const THOROUGH = process.env["E2E_THOROUGH"] !== undefined;

/** Of what could all be looked at for the test of this number: everything, or the one whose turn it is. */
export function inTurn<T>(all: readonly T[], number: number): readonly T[] {
  return THOROUGH ? all : all.slice(number % all.length, (number % all.length) + 1);
}
