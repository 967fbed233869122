//! The code that all classes share, as in kernel/sched/core.c.

/// Cold caches: extra time before a woken task's first user instruction.
pub mod cold;
/// double_lock_balance(): a second rq lock while holding one.
pub mod double_lock;
pub mod idle;
/// Preemption models: which flag a request sets, and where it is honoured.
pub mod preempt;
/// Priority inheritance, and the effect of a change of priority on the run queue.
pub mod prio;
/// The run queue, class dispatch, need_resched, IPIs.
pub mod rq;
/// schedule() and the switch.
pub mod schedule;
/// rseq time slice extension.
pub mod slice_extension;
/// The stopper threads.
pub mod stop;
pub mod task;
pub mod task_stats;
/// try_to_wake_up() and the wake-list.
pub mod wakeup;
