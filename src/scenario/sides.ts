// The two runs that are compared. Everything that exists twice is kept as `PerSide`, so that no
// code can forget one.

export type Side = "a" | "b";

export const SIDES: readonly Side[] = ["a", "b"];

export interface PerSide<T> {
  readonly a: T;
  readonly b: T;
}

export function otherSide(side: Side): Side {
  return side === "a" ? "b" : "a";
}

export function perSide<T>(make: (side: Side) => T): PerSide<T> {
  return { a: make("a"), b: make("b") };
}

export function withSide<T>(pair: PerSide<T>, side: Side, value: T): PerSide<T> {
  return side === "a" ? { a: value, b: pair.b } : { a: pair.a, b: value };
}
