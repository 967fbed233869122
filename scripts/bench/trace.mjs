// Chromium's own trace of a stretch of a page's life: tasks of the page's main thread by the wall
// clock and in CPU time, and its frames. CPU time measures the page even where other work on the
// machine lengthens the wall clock.

const CATEGORIES = ["toplevel", "devtools.timeline", "__metadata"];

/**
 * Traces `act` in a page: `tasks` of the main thread (ms) and `frames`, its CPU between two frames
 * (ms).
 */
export async function traced(browser, page, act) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
  const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const byThread = tasksByThread(traceEvents);
  const sum = (list) => list.reduce((total, { cpu }) => total + cpu, 0);
  const mains = [...new Set(traceEvents.filter(isMain).map(threadOf))].map((thread) => [
    thread,
    byThread.get(thread) ?? [],
  ]);
  // Another renderer draws the browser's own frame: the page's is the one that works.
  const [[thread, tasks] = ["", []]] = mains.sort(([, one], [, other]) => sum(other) - sum(one));
  const starts = traceEvents
    .filter((event) => event.name === "FireAnimationFrame" && threadOf(event) === thread)
    .map(({ ts }) => ts / 1000);
  return { tasks, frames: perFrame(tasks, starts) };
}

function threadOf({ pid, tid }) {
  return `${pid} ${tid}`;
}

function tasksByThread(events) {
  const found = new Map();
  for (const event of events) {
    const { name, ph, dur = 0, tdur = 0, ts } = event;
    if (ph !== "X" || !(name === "RunTask" || name.endsWith("::RunTask"))) continue;
    const list = found.get(threadOf(event)) ?? [];
    found.set(threadOf(event), list);
    list.push({ at: ts / 1000, wall: dur / 1000, cpu: tdur / 1000 });
  }
  return found;
}

/** Several callbacks of one frame count as one: no two frames are less than 4 ms apart. */
function perFrame(tasks, starts) {
  const edges = [...starts]
    .sort((one, other) => one - other)
    .filter((at, index, all) => index === 0 || at - all[index - 1] > 4);
  const sums = edges.slice(1).map(() => 0);
  let frame = 0;
  for (const { at, cpu } of [...tasks].sort((one, other) => one.at - other.at)) {
    while (frame < sums.length && at + cpu >= edges[frame + 1]) frame += 1;
    if (frame < sums.length && at + cpu >= edges[frame]) sums[frame] += cpu;
  }
  return sums;
}
