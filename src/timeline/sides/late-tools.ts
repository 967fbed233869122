// What viewers do with lanes: keep them on top, sort them, fold groups, ask the strips over them;
// what flies over them, and what a hand drags. Fetched behind the first picture.

import "../tracks/late.css";

export { arrange, fitted } from "../lanes/arrange.ts";
export { layAround } from "../lanes/around.ts";
export type { Arranged } from "../lanes/arrange.ts";
export { CutWords } from "../lanes/cut.tsx";
export { movePin, toggleGroup } from "../lanes/choice.ts";
export { LaneHeads } from "../lanes/heads.tsx";
export { LanesMenu } from "../lanes/menu.tsx";
export { BarHand } from "./bar-hand.tsx";
export { TankHand } from "../tracks/tank-hand.tsx";
export { DropLayer } from "../tracks/drop-layer.tsx";
export { CountdownLayer } from "../tracks/countdown-layer.tsx";
export { COUNTER_LEGEND } from "../tracks/draw-counters.ts";
export { CounterTrack } from "../tracks/counters.tsx";
export { heroLegend, InsteadTrack, insteadCount, RingTrack } from "../tracks/heroes.ts";
export { askLock, LOCK_LEGEND } from "../tracks/lock-answer.ts";
export { askHolds, drawHolds } from "../tracks/holds.ts";
export { taskLockLegend } from "../tracks/task-lock.ts";
export { TaskLockTrack } from "../tracks/task-lock-track.tsx";
export { QueueLine } from "../tracks/queue-line.tsx";
export { tankEvent } from "../tracks/tank-answer.ts";
export { TASK_LEGEND } from "../tracks/task-answer.ts";
export { TaskStrip } from "../tracks/task-strip.tsx";
