// The part of the late script (sides/late-tools.ts) that the tracks over the lanes use.

import type { TankHand } from "./tank-hand.tsx";
import type { askHolds, drawHolds } from "./holds.ts";
import type { askLock } from "./lock-answer.ts";
import type { QueueLine } from "./queue-line.tsx";
import type { tankEvent } from "./tank-answer.ts";

export interface TrackTools {
  readonly askHolds: typeof askHolds;
  readonly askLock: typeof askLock;
  readonly drawHolds: typeof drawHolds;
  readonly QueueLine: typeof QueueLine;
  readonly tankEvent: typeof tankEvent;
  readonly TankHand: typeof TankHand;
}
