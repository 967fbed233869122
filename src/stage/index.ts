/**
 * The picture: story line, ruler, A over B, chips of the marks. State comes in, events go out; it knows no store, no address, no worker.
 *
 *   <Stage
 *     sides={[{ id: "a", label: "pull", trace, version: trace.version, selection: undefined, running: false }]}
 *     view={{ domainNs: 100e6, viewport: { fromNs: 0, toNs: 1e6 }, playheadNs: 0, playing: false, focus: "a", layout: "stacked", lock: "deepest", aboutLocks: true, area: undefined, drag: "area", markers: {}, lanes: "" }}
 *     theme="dark"
 *     caption="40 CPUs finish; all want rq 0"
 *     empty="No run yet."
 *     onEvent={(event) => …}
 *   />
 *
 * It fills the box it stands in and never grows beyond it: rows are as high as the room allows, more rows than fit scroll inside, all sides
 * together. Where there is room for one side only it shows the one in focus, with a switch to the other.
 */
export type { StageEvent, StageProps, StageView } from "./types.ts";
export { Stage } from "./Stage.tsx";
