// Our slices in flame-chart-js. It lays children under their parents: all slices of a lane hang on
// the first slice of the lane above, so that each lane is a level.

/* global window, document, fetch, flameChartJs, requestAnimationFrame */

async function draw() {
  const lanes = await (await fetch("slices.json")).json();
  let data = [];
  for (const lane of lanes.reverse()) {
    const nodes = lane.map(([name, start, duration]) => ({
      name,
      start,
      duration,
      type: name.split(",")[0],
    }));
    if (nodes[0] !== undefined && data.length > 0) nodes[0].children = data;
    data = nodes;
  }
  const canvas = document.getElementById("chart");
  [canvas.width, canvas.height] = [1400, 860];
  // Low enough that all lanes are in sight, as on our page.
  new flameChartJs.FlameChart({
    canvas,
    data,
    settings: { styles: { main: { blockHeight: 2, font: "2px sans-serif" } } },
  });
  requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true)));
}

void draw();
