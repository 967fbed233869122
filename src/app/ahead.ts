// What the first picture waits for longest, asked for before the page's own script has come: the
// engine, a worker for each side, and the runs that the page's scenario opens with. The page takes
// them where it would else have asked itself; what fails here it asks for again.

import { firstRuns } from "../engine/first-runs.ts";
import { fetchEngine, warmAhead } from "../engine/pool.ts";

const SIDES = 2;

/**
 * Workers come up at the cost of whatever else goes on: not before what the page's HTML says has
 * been painted.
 */
function afterPaint(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = work;
  requestAnimationFrame(() => port2.postMessage(undefined));
}

const slug = document.querySelector<HTMLScriptElement>("script[data-slug]")?.dataset["slug"];
// In a frame without an origin no engine loads.
if (slug !== undefined && window.origin !== "null") {
  void firstRuns(slug);
  fetchEngine();
  afterPaint(() => warmAhead(SIDES));
}
