//! What `perf sched timehist` and `perf sched latency` print of a recording of a run.
//!
//! Rules and formats: tools/perf/builtin-sched.c of Linux 6.12. `perf sched record` records
//! sched_switch, sched_waking, sched_wakeup_new, sched_migrate_task and sched_stat_runtime, so a
//! delay begins with sched_waking.

mod latency;
mod recorded;
mod timehist;

pub(super) use latency::FORMAT as LATENCY;
pub(super) use timehist::FORMAT as TIMEHIST;
