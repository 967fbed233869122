// What a hand does to the picture, in the scheduler's terms: a press on a bar, a task dragged to
// another lane, a tank's level or refill dragged. The owner decides what becomes of it.

interface GrabBase {
  readonly side: "a" | "b";
  /** The instant under the pointer, whole ns. */
  readonly ns: number;
}

/** Something was pressed. */
export interface Press extends GrabBase {
  readonly kind: "press";
  readonly cpu: number;
  /** By id; undefined where the CPU runs none. */
  readonly task: number | undefined;
  /** Id of the nearest mark. */
  readonly mark: string | undefined;
  /** In the window, CSS px. */
  readonly x: number;
  readonly y: number;
}

/** A task's bar was dragged to the lane of `cpu`. */
export interface Pin extends GrabBase {
  readonly kind: "pin";
  readonly task: number;
  readonly cpu: number;
}

/** A tank's level was dragged: what the group's quota is to be. */
export interface Level extends GrabBase {
  readonly kind: "quota";
  /** The group's path. */
  readonly group: string;
  readonly quotaNs: number;
}

/** A refill was dragged in a tank: what the period of the group is to be from `ns` on. */
export interface Refill extends GrabBase {
  readonly kind: "period";
  /** The group's path. */
  readonly group: string;
  readonly periodNs: number;
}

export type Grab = Press | Pin | Level | Refill;
