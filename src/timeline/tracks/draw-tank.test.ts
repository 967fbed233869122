import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { threeFigures } from "../../lib/format.ts";
import { run } from "../../model/testing.ts";
import { inked } from "../marks/testing.ts";
import { drawTank, tankScale } from "./draw-tank.ts";
import { trackPlot } from "./testing.ts";

beforeAll(loadEngine);

test("where a group's time is spent twice, the largest amount is named, and no more names than lines leave room for", () => {
  const [trace] = run("quota-double-spend", 0);
  const track = trace.quota.limited.find(({ doubles }) => doubles.countIn(0, trace.endNs + 1) > 1);
  if (track === undefined) throw new Error("nothing was spent twice");
  const rows = [...track.doubles.listIn(0, trace.endNs + 1)];
  const [first, last] = [rows[0], rows.at(-1)].map((row) => trace.events.time.at(row ?? 0));
  const spanNs = (last ?? 0) - (first ?? 0);
  const viewport = { fromNs: (first ?? 0) - spanNs / 10, toNs: (last ?? 0) + spanNs / 10 };
  const plot = trackPlot(trace, viewport, { width: 648, height: 60 });
  const { words } = inked((context) =>
    drawTank(context, plot, track, tankScale(track, trace.endNs)),
  );
  const named = words.filter((each) => each.startsWith("spent twice: "));
  const largest = Math.max(...rows.map((row) => trace.events.b.at(row)));
  expect(named).toContain(`spent twice: ${threeFigures(largest)}`);
  expect(named.length).toBeLessThan(rows.length);
});
