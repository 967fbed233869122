// A value for spoken words, which does not change while the picture plays.

import { useState } from "react";

/** The value as it was before playing began, until playing stops. */
export function useSettled(value: number, moving: boolean): number {
  const [settled, setSettled] = useState(value);
  if (!moving && settled !== value) setSettled(value);
  return settled;
}
