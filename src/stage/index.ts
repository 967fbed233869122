/**
 * The picture: story line, ruler, A over B, chips of the marks. State comes in, events go out; it
 * knows no store, no address, no worker. `example.tsx` uses it, whole; a browser test draws that
 * (e2e/stage.spec.ts).
 *
 * It fills its box and never grows beyond it: rows are as high as the room allows,
 * more rows than fit scroll inside, all sides together. Where there is room for one side only it
 * shows the one in focus, with a switch to the other.
 */
export type { StageEvent, StageProps, StageView } from "./stage-props.ts";
export { Stage } from "./Stage.tsx";
