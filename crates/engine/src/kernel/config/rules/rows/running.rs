//! Rules of run queues, wake-ups, real time, softirqs and preemption models.

use crate::kernel::config::Kernel;
use crate::kernel::config::row::{BY_VERSION, Row, Since, knob, row};
use crate::kernel::config::rules::Release;
use crate::kernel::config::version::Version;

rules! {
    0;

    /// Whether a push that the pick asked for waits for post_schedule(): after the switch, with the
    /// run-queue lock released. The list of balance callbacks replaced it.
    has_post_schedule_hook "push after the switch" {
        "2.6.24": true, "post_schedule(): from 2.6.30 to 4.1; the code of 2007 has a hook of its \
            own";
        "4.2": false, "commit e3fca9e7cbfb (4.2)";
    }
    /// Whether a pick that finds the same RT task again asks for a push too.
    pushes_after_same_pick "push after the same pick" {
        "2.6.24": true, "set_next_task() or its like for every pick";
        "6.12": false, "put_prev_set_next_task() has nothing to do for the same task (6.12)";
    }
    /// Whether wake-lists, remote irq_work and function calls are on one list, whose first entry
    /// alone sends an IPI.
    has_one_call_list "one call list" {
        "2.6.24": false, "lists of their own before commits 4b44a21dd640 and b2a02fc43a1f (5.8)";
        "5.8": true, "commits 4b44a21dd640 and b2a02fc43a1f (5.8)";
    }
    /// Whether irq_work that a CPU queues on itself raises that CPU's own vector; before, it sent
    /// itself a function call.
    raises_own_irq_work "irq_work by its own vector" {
        "2.6.24": false, "before commit 471ba0e686cb (5.2)";
        "5.2": true, "commit 471ba0e686cb (5.2)";
    }
    /// Whether a push that released its lock tests that its task is still the first pushable one,
    /// where the generation has a list.
    rechecks_after_lock "push's second check" {
        "2.6.24": false, "before commit 690e47d1403e (6.16)";
        "6.16" ["6.1.191", "6.12.64"]: true, "commit 690e47d1403e (6.16)";
    }
    /// Whether a task that waits where it may not stay any more moves at once; before, the stopper
    /// moved it too.
    moves_waiter_at_once "waiters moved at once" {
        "2.6.24": false, "before commit a15b12ac36ad (3.18, recalled)";
        "3.18": true, "commit a15b12ac36ad (3.18, recalled)";
    }
    /// Whether the RT period timer fires at once if its next period has already begun when it
    /// starts; before, the timer skipped whole periods, counted from the boot.
    late_rt_period_fires_at_once "late RT period at once" {
        "2.6.24": false, "before commit c3a990dc9fab (4.6)";
        "4.6": true, "commit c3a990dc9fab (4.6)";
    }
    /// Whether a run queue that has used up its RT time starts the period timer; before, a limit
    /// written while an RT task ran throttled it until another one was queued.
    overrun_starts_rt_period "RT period on overrun" {
        "2.6.24": false, "before commit 9b58e976b3b3 (5.17)";
        "5.17": true, "commit 9b58e976b3b3 (5.17)";
    }
    /// Whether the last fair task that leaves a run queue stops the fair server; later a pick does.
    has_first_fair_server "first fair server" {
        "2.6.24": false, "no fair server before commit 5f6bd380c7bd (6.12)";
        "6.12": true, "read in 6.12.73 and 6.16.3";
        "6.17" ["6.12.92"]: false, "commit cccb45d7c429 (6.17); read in 6.12.117 and 6.17.8";
    }
    /// Whether a fair server that served waits again as a new period starts (dl_defer_running).
    new_period_ends_serving "new period ends serving" {
        "2.6.24": false, "not in 6.12.63, 6.17.8 and 6.18.5, as read";
        "6.19" ["6.12.69", "6.18.9"]: true, "commit 115135422562 (6.19); read in 6.12.73, 6.18.15";
    }
    /// Whether a fair server that starts with more runtime than its share of the time left gets
    /// that share, and serves at once, even if it had not served.
    server_revises_wakeup "revised wake-up of servers" {
        "2.6.24": false, "not in 6.12.73, 6.18.15 and 6.19.13, as read";
        "7.0" ["6.12.83"]: true, "commit 14a857056466 (7.0); read in 7.0.7 and 7.1.3";
        "7.2" ["6.12.103", "7.1.8"]: false, "commit 1842bf97af10 (7.2); read in 6.12.107, 7.1.13";
    }
    /// Whether a fair server that had served gets that share as it starts.
    serving_server_revises_wakeup "revised wake-up of serving servers" {
        "2.6.24": false, "not in 6.12.73, 6.18.15 and 6.19.13, as read";
        "7.0" ["6.12.83"]: true, "commit 14a857056466 (7.0); read in 6.12.117, 7.0.7 and 7.2.13";
    }
    /// Whether idle time is charged to the fair server like fair time, not as the CPU leaves idle.
    idle_charges_server "idle time charged to the server" {
        "2.6.24": false, "subtracted on leaving idle, read in 6.12.117 and 6.18.15";
        "6.19": true, "dl_defer_idle, read in 6.19.10 and 7.2.13; not in 6.18.15";
    }
    /// Whether a fair server that is used up past its deadline waits a period, and does not go on.
    late_server_waits "late server waits" {
        "2.6.24": false, "enqueue_dl_entity() at once, read in 6.12.117 and 6.16.3";
        "6.17": true, "a new period and its timer, read in 6.17.8, 6.18.15 and 7.1.3";
    }
    /// Whether a queued fair server counts in nr_running, so that a nohz_full CPU ticks for it.
    server_is_running "server counted as running" {
        "2.6.24": false, "no fair server before commit 5f6bd380c7bd (6.12)";
        "6.12": true, "inc_dl_tasks() of 6.12.117 and 6.16.3, as read";
        "6.17": false, "commit 52d15521eb75 (6.17); read in 6.17.8 and 6.18.15";
    }

    /// Whether a wake-up of a stopper never goes through a wake-list.
    stoppers_skip_wake_list "stoppers off the wake-list" {
        "2.6.24": false, "before commit 009836b4fa52 (6.16); not in 6.1.192";
        "6.16" ["6.12.39"]: true, "commit 009836b4fa52 (6.16)";
    }
    /// Whether an interrupt's exit runs all softirqs itself while a tasklet pends, even if
    /// ksoftirqd is runnable (SOFTIRQ_NOW_MASK).
    tasklets_run_at_once "tasklets not left to ksoftirqd" {
        "2.6.24": false, "before commit 3c53776e29f8 (4.16, recalled)";
        "4.16": true, "commit 3c53776e29f8 (4.16, recalled); read in 6.1.192";
        "6.5": false, "nothing is left to ksoftirqd since commit d15121be7485 (6.5)";
    }
    /// Whether 2 ms and need_resched end the restarts of softirqs; before, only their number.
    softirqs_mind_time "softirqs limited in time" {
        "2.6.24": false, "before commit c10d73671ad3 (3.9, recalled)";
        "3.9": true, "commit c10d73671ad3 (3.9, recalled); the limit of their number, which it \
            dropped, came back with 3.10";
    }

    // Preemption models, see `offers.rs`.

    /// Whether an architecture with lazy preemption can also be built and booted with none and
    /// voluntary.
    has_none_and_voluntary {
        "2.6.24": true, "before commit 7dadeaa6e851 (7.0)";
        "7.0": false, "commit 7dadeaa6e851 (7.0)";
    }
    /// Whether the model can be chosen as it boots (PREEMPT_DYNAMIC).
    has_preempt_dynamic {
        "2.6.24": false, "not in 5.11";
        "5.12": true, "5.12";
    }
    /// Whether lazy preemption exists.
    has_lazy_preemption {
        "2.6.24": false, "before commit 7c70cb94d29c (6.13)";
        "6.13": true, "commit 7c70cb94d29c (6.13)";
    }
    /// Whether PREEMPT_RT is in it; before, it needs the RT patch set.
    has_preempt_rt_merged {
        "2.6.24": false, "a patch set until 6.12";
        "6.12": true, "6.12";
    }
    /// Whether A. Arora's series of November 2023 builds on this version.
    is_base_of_rfc2023 {
        "2.6.24": false, "the series was written for 6.6";
        "6.6": true, "the series was written for 6.6";
        "6.12": false, "the series was written for 6.6";
    }
    /// Whether the series of May 2024 builds on this version here. The series was written for 6.9,
    /// which the ladder lacks, so 6.6 takes its place.
    is_base_of_auto2024 {
        "2.6.24": false, "the series was written for 6.9";
        "6.6": true, "the series was written for 6.9; here 6.6 stands in for it";
        "6.12": false, "the series was written for 6.9";
    }
}
