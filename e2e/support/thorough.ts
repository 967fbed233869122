// How much is looked at: `npm run test:long` looks at every scenario in every theme and at every
// size, and makes every test; `npm test` takes turns and leaves those marked LONG out.

/** Set by `npm run test:long`. */
export const THOROUGH = process.env["E2E_THOROUGH"] !== undefined;

/**
 * The part of `all` that the test of this number looks at: everything, or the one whose turn it
 * is.
 */
export function inTurn<T>(all: readonly T[], number: number): readonly T[] {
  return THOROUGH ? all : all.slice(number % all.length, (number % all.length) + 1);
}

/**
 * Marks a test that only `npm run test:long` makes: a second or finer look at a promise whose plain
 * case another test makes, or one that takes long beside what it would find. playwright.config.ts
 * leaves them out unless `E2E_THOROUGH` is set.
 */
export const LONG = { tag: "@long" } as const;
