// Chrome JSON as Perfetto v52 reads it: it has no scheduler of its own there, so switches, times and
// wake-ups come from the slices of CPU lanes and their arguments.

import { close, release, withTrace } from "./perfetto.mjs";

/** @type {import("./facts.mjs").Reader} */
export const READER = {
  tool: "perfetto",
  formats: ["chrome"],
  version: async () => `Perfetto ${release()}, Chrome JSON`,
  read: (path) => withTrace(path, factsOf),
  roundingNs: 0,
  close,
};

/** Slices of tasks: process 1 has a lane for each CPU, whose number is 10 less than the lane's. */
const STAYS = `with stays as (
    select slice.ts, slice.dur, slice.name, thread.tid - 10 as cpu,
      extract_arg(slice.arg_set_id, 'args.prev_state') as state,
      extract_arg(slice.arg_set_id, 'args.wakeup_ns') as wakeup_ns
    from slice join thread_track on slice.track_id = thread_track.id
      join thread using (utid) join process using (upid)
    where process.pid = 1 and extract_arg(slice.arg_set_id, 'args.pid') is not null)`;

async function factsOf(query) {
  const [[switches]] = await query(
    `${STAYS} select count(*) from (select cpu, ts from stays
      union select cpu, ts + dur from stays where state is not null)`,
  );
  const cpus = await query(`${STAYS} select distinct cpu from stays order by cpu`);
  const ran = await query(
    `${STAYS} select name, sum(dur) from stays where state is not null group by 1`,
  );
  const [[worst]] = await query(`${STAYS} select max(wakeup_ns) from stays`);
  const faults = await query(
    `select name || ': ' || value from stats
      where severity in ('error', 'data_loss') and value > 0`,
  );
  return {
    switches: Number(switches),
    cpus: cpus.map(([cpu]) => Number(cpu)),
    ranNs: Object.fromEntries(ran.map(([name, ns]) => [name, Number(ns)])),
    worstWakeNs: worst === "null" ? undefined : Number(worst),
    warnings: faults.map(([fault]) => fault),
  };
}
