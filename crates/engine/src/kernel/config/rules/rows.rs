//! The rules, a row each: `name "label" { release [stable releases]: answer, source; … }`; without
//! a label where no scenario may state it.

use crate::kernel::config::Kernel;
use crate::kernel::config::row::{BY_VERSION, Row, Since, knob, row};
use crate::kernel::config::rules::Release;
use crate::kernel::config::version::Version;

// Run queues, wake-ups and real time.
rules! {
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

    // The fair class.

    /// Whether CFS has next and last buddies in the form of 2.6.39.
    has_buddies "buddies under CFS" {
        "2.6.24": false, "not in this form before commit 2f36825b176f (2.6.39, recalled)";
        "2.6.39": true, "commit 2f36825b176f (2.6.39, recalled)";
    }
    /// CFS: whether a slice follows from an entity's own queue alone, and the running entity's
    /// weight scales a wake-up granularity of 10 ms.
    has_first_cfs_form "first form of CFS" {
        "2.6.24": true, "read in 2.6.24: kernel/sched_fair.c";
        "2.6.26": false, "2.6.26 (recalled): granularity 5 ms, slices through all levels";
    }
    /// CFS: whether the latency is 20 ms, a sleeper is credited with all of it, and only a used-up
    /// slice ends a turn.
    cfs_latency_is_20_ms "CFS latency 20 ms" {
        "2.6.24": true, "read in 2.6.24: kernel/sched_fair.c";
        "2.6.32": false, "commits 172e082a9111, 51e0304ce6e5 and f685ceacab07 (2.6.32, recalled)";
    }
    /// Whether EEVDF picks the next buddy (PICK_BUDDY, on). Only groups are marked there.
    eevdf_has_buddies "PICK_BUDDY" {
        "2.6.24": false, "not used before EEVDF; before commit 2a77e4be12cb (6.14) it \
            looked at none";
        "6.14" ["6.12.13"]: true, "commit 2a77e4be12cb (6.14)";
    }
    /// Whether a task of SCHED_IDLE weighs 3; before, 2.
    idle_policy_weighs_3 "SCHED_IDLE weight 3" {
        "2.6.24": false, "2 from 2.6.23 on (recalled)";
        "2.6.29": true, "commit cce7ade80369 (2.6.29)";
    }
    /// Whether a task of SCHED_IDLE is always preempted by others, and never preempts them.
    idle_policy_gives_way "SCHED_IDLE's giving way" {
        "2.6.24": false, "before commit 6bc912b71b6f (2.6.29)";
        "2.6.29": true, "commit 6bc912b71b6f (2.6.29)";
    }
    /// Whether policies are compared where the two tasks' groups meet; before, those of the tasks.
    compares_policies_of_entities "policies compared by entity" {
        "2.6.24": false, "before commit faa42d29419d (6.12)";
        "6.12": true, "commit faa42d29419d (6.12)";
        "7.3": false, "read in 7.3.4: se_is_idle() of the tasks";
    }
    /// Whether an idle entity among others has less under CFS: credit when it wakes, and slice.
    idle_entity_has_less "less for idle entities" {
        "2.6.24": false, "before commits 2cae3948edd4 and 51ce83ed523b (5.16, recalled)";
        "5.16": true, "commits 2cae3948edd4 and 51ce83ed523b (5.16, recalled)";
    }
    /// Whether a CPU that has only tasks of SCHED_IDLE to run takes wake-ups and new tasks as an
    /// idle one does.
    wakes_on_sched_idle_cpus "wake-ups on SCHED_IDLE CPUs" {
        "2.6.24": false, "before commit 3c29e651e16d (5.4)";
        "5.4": true, "commit 3c29e651e16d (5.4)";
    }
    /// Whether the search of a cache for an idle CPU takes one of SCHED_IDLE tasks only where it
    /// finds none; the target and the previous CPU are taken in either case.
    search_prefers_idle_cpus "search for idle CPUs first" {
        "2.6.24": true, "before commit 17346452b25b (5.6)";
        "5.6": false, "commit 17346452b25b (5.6)";
    }
    /// Whether load balancing takes a CPU that has only tasks of SCHED_IDLE to run for an idle one.
    balances_sched_idle_cpus_as_idle "SCHED_IDLE CPUs as idle" {
        "2.6.24": false, "before commit 323af6deaf70 (5.6)";
        "5.6": true, "commit 323af6deaf70 (5.6)";
    }
    /// Whether prio_changed_fair() asks for nothing where the root queue has one entity, be it a
    /// group of many tasks.
    spares_one_entity "single entity spared" {
        "2.6.24": false, "before commit 7c2e8bbd87db (5.5, recalled)";
        "5.5": true, "commit 7c2e8bbd87db (5.5, recalled)";
    }
    /// Whether the virtual run time of a CFS task that is not queued, or not in the fair class,
    /// counts from its queue's minimum.
    clock_counts_from_floor "vruntime from the minimum" {
        "2.6.24": false, "before commit 88ec22d3edb7 (2.6.33)";
        "2.6.33": true, "commit 88ec22d3edb7 (2.6.33)";
    }
    /// Whether a sleeping task that becomes fair counts from its queue's clock at once; before, it
    /// kept its own until it woke.
    sleeper_joins_at_floor "sleeper's place at the minimum" {
        "2.6.24": false, "before commit 7855a35ac07a (4.3, recalled)";
        "4.3": true, "commit 7855a35ac07a (4.3, recalled)";
    }
    /// Whether a queued task whose policy changes within the fair class moves up with its queue's
    /// clock, in every kind of change.
    policy_change_moves_up "move up on policy change" {
        "2.6.24": true, "commit 88ec22d3edb7 (2.6.33); before, no clock counts from the queue's";
        "4.9": false, "commit b60205c7c558 (4.9)";
    }
    /// Whether a task that is dequeued to be moved goes along with the queue's minimum; before, by
    /// mistake, every task except that one did.
    move_within_class_moves_up "minimum for moved tasks" {
        "2.6.24": false, "before commit 9845c49cc9bb (4.19)";
        "4.19": true, "commit 9845c49cc9bb (4.19)";
    }
    /// EEVDF: whether a group asks for the shortest slice of its queued entities.
    groups_take_min_slice "least slice for groups" {
        "2.6.24": false, "not used before EEVDF; before commit aef6987d8954 (6.12)";
        "6.12": true, "commit aef6987d8954 (6.12)";
    }
    /// EEVDF: whether a request goes on where its task is placed next (PLACE_REL_DEADLINE).
    requests_kept_on_move "PLACE_REL_DEADLINE" {
        "2.6.24": false, "not used before EEVDF; before commit 82e9d0456e06 (6.12)";
        "6.12": true, "commit 82e9d0456e06 (6.12)";
    }
    /// EEVDF: whether the remaining part of a kept request is scaled with the task's weight.
    scales_kept_requests "kept requests scaled" {
        "2.6.24": false, "not used before EEVDF; before commit 6d71a9c61604 (6.13)";
        "6.13": true, "commit 6d71a9c61604 (6.13)";
    }
    /// EEVDF: whether a change of a queued entity's weight places the entity as if it joined.
    reweight_places_anew "reweight places anew" {
        "2.6.24": false, "not used before EEVDF; before commit 6d71a9c61604 (6.13)";
        "6.13": true, "commit 6d71a9c61604 (6.13); read in 6.16.3";
        "7.1" ["6.18.45"]: false,
            "commit 101f3498b4bd (7.1); read in 7.1.3, not in 7.0.10; 6.18.45 recalled";
    }
    /// EEVDF: whether a waking entity with a shorter slice may end the running one's protection
    /// (PREEMPT_SHORT).
    has_preempt_short "PREEMPT_SHORT" {
        "2.6.24": false, "not used before EEVDF; before commit 85e511df3cec (6.12)";
        "6.12": true, "commit 85e511df3cec (6.12)";
    }
    /// EEVDF: whether a task of SCHED_IDLE that is to be preempted by its policy also loses its
    /// protection; before, one still eligible was picked again.
    preempted_idle_loses_protection "SCHED_IDLE's lost protection" {
        "2.6.24": false, "not used before EEVDF; before commit f553741ac8c0 (6.15)";
        "6.15" ["6.12.23", "6.14.2"]: true, "commit f553741ac8c0 (6.15)";
    }
    /// Whether CFS bandwidth control exists.
    has_bandwidth_control {
        "2.6.24": false, "before 3.2";
        "3.2": true, "bandwidth control came with 3.2";
    }

    /// Whether the period timers of groups expire at multiples of the period, all groups of one
    /// period together. Before, a group's periods began with its first use; later, each group's
    /// at random.
    aligns_period_timers "period timers aligned" {
        "2.6.24": false, "not used before 3.2; to 4.1 from the first use";
        "4.2": true, "commit 4cfafd3082af (4.2); read in 6.1.192";
        "6.4": false, "commit 41abdba93747 (6.4); read in 6.12.57";
    }
    /// EEVDF: whether an eligible task that yields gives up the rest of its request; before, its
    /// deadline moved on by a slice and nothing else changed.
    yield_gives_up_request "yield ends the request" {
        "2.6.24": false, "not used before EEVDF; before commit 79104becf42b (6.19)";
        "6.19" ["6.12.63", "6.18.2"]: true, "commit 79104becf42b (6.19)";
    }
    /// EEVDF: whether a lag is limited by the greatest slice queued, plus a tick; before, by two
    /// slices of its own entity, at least a tick.
    lag_clamp_by_greatest_slice "lag limit by greatest slice" {
        "2.6.24": false, "not used before EEVDF; before commit 6e3c0a4e1ad1 (7.0)";
        "7.0" ["6.18.17", "6.19.7"]: true, "commit 6e3c0a4e1ad1 (7.0); 6.18.17 by a merge log";
    }
    /// EEVDF: whether a wake-up chooses an action first (enum preempt_wakeup_action): a forked task
    /// does not preempt unless its slice is shorter, the next buddy is considered, and a wake-up
    /// that does not preempt shortens the running task's protection.
    has_wakeup_actions "wake-up actions" {
        "2.6.24": false, "not used before EEVDF; before commit e837456fdca8 (6.19)";
        "6.19": true, "commit e837456fdca8 (6.19)";
    }
    /// EEVDF: whether the entity of a group that runs empty ahead of its share stays queued, as a
    /// task that sleeps does.
    delays_groups "delayed dequeue of groups" {
        "2.6.24": false, "before commit 152e11f6df29 (6.12)";
        "6.12": true, "commit 152e11f6df29 (6.12)";
        "7.3": false, "commit 85570f10a4c6 (7.3): groups are in no queue";
    }
    /// EEVDF: whether the debt of a task that sleeps on its queue cannot grow there.
    delayed_lag_never_grows "delayed lag never grows" {
        "2.6.24": false, "before commit 059258b0d424 (7.1)";
        "7.1": true, "commit 059258b0d424 (7.1); read in 7.1.3, not in 7.0.10";
    }

    // Which CPU, and load balancing.

    /// Whether a waker of more tasks than its cache has CPUs leaves them on their previous CPUs
    /// (wake_wide()).
    has_wake_wide "wake_wide" {
        "2.6.24": false, "before 3.12 (recalled)";
        "3.12": true, "3.12 (recalled)";
    }
    /// Whether wake_wide() also counts if the woken task is the one that wakes many.
    wake_wide_goes_both_ways "wake_wide both ways" {
        "2.6.24": false, "before commit 63b0e9edceec (4.3)";
        "4.3": true, "commit 63b0e9edceec (4.3)";
    }
    /// Whether a wake-up that finds no idle core in its cache takes an idle thread beside a busy
    /// one; before, only one of the core that it looked at first.
    searches_idle_threads "search for idle threads" {
        "2.6.24": false, "before commit 10e2f1acd010 (4.9, recalled)";
        "4.9": true, "commit 10e2f1acd010 (4.9, recalled)";
    }
    /// Whether a wake-up that finds no idle core looks at the threads of the task's previous core
    /// before those of the whole cache.
    tries_own_core_first "own core first" {
        "2.6.24": false, "before commit c722f35b513f (5.13, recalled)";
        "5.13": true, "commit c722f35b513f (5.13, recalled); read in 6.12.117";
    }
    /// Whether the CPU that balances for its core or cache is one of an idle core, if there is one.
    balances_from_idle_cores "balanced from idle cores" {
        "2.6.24": false, "before commit b1bfeab9b002 (6.6, recalled)";
        "6.6": true, "commit b1bfeab9b002 (6.6, recalled); read in 6.12.117";
    }
    /// Whether a NOHZ kick goes to a CPU whose whole core is idle, if there is one.
    kicks_idle_cores "NOHZ kicks to idle cores" {
        "2.6.24": false, "not in 7.2.13: find_new_ilb()";
        "7.3": true, "read in 7.3.4: find_new_ilb()";
    }
    /// Whether a wake-up from an interrupt on an idle CPU always moves the task there; later only
    /// within a cache, and only from a busy CPU. The rule also decides ties between two CPUs'
    /// loads, and runs here have only ties: no interrupt wakes a fair task that slept on another
    /// CPU.
    idle_waker_always_draws "draw of an idle waker" {
        "2.6.24": true, "before commits 7332dec055f2 and 806486c377e3 (4.16)";
        "4.16": false, "commits 7332dec055f2 and 806486c377e3 (4.16)";
    }
    /// Whether a busy CPU balances 16 times less often than an idle one; before, 32 times.
    busy_factor_is_16 "busy factor 16" {
        "2.6.24": false, "before 5.10 (recalled)";
        "5.10": true, "5.10 (recalled)";
    }
    /// Whether a newly idle CPU with something on its wake-list searches nothing.
    wake_list_ends_newidle "newidle ended by a wake-list" {
        "2.6.24": false, "before commit e5e678e4fea2 (5.14, recalled)";
        "5.14": true, "commit e5e678e4fea2 (5.14, recalled)";
    }
    /// Whether a newly idle CPU asks if it will be idle for as long as a search of its lowest
    /// domain has taken; before, for as long as the migration cost.
    newidle_gate_is_search_cost "newidle gate by search cost" {
        "2.6.24": false, "before commit c5b0a7eefc70 (5.16)";
        "5.16": true, "commit c5b0a7eefc70 (5.16)";
    }
    /// Whether failed balancing wakes a stopper only where tasks are counted, not load.
    load_failures_wake_no_stopper "no stopper for load failures" {
        "2.6.24": false, "before commit e9b9734b7465 (5.12, recalled)";
        "5.12": true, "commit e9b9734b7465 (5.12, recalled)";
    }
    /// Whether a CPU that stops its tick marks that its blocked load needs updates.
    follows_blocked_load "blocked load" {
        "2.6.24": false, "before commit f643ea220701 (4.17)";
        "4.17": true, "commit f643ea220701 (4.17)";
    }
    /// Whether a NOHZ kick that finds need_resched is dropped, even if only a polling CPU's wake-up
    /// had set it.
    ilb_minds_need_resched "kick dropped on need_resched" {
        "2.6.24": true, "before commit ea9cffc0a154 (6.13)";
        "6.13" ["6.1.120", "6.12.5"]: false, "commit ea9cffc0a154 (6.13)";
    }
    /// Whether a kernel built with CONFIG_RSEQ_SLICE_EXTENSION has slice extensions.
    has_slice_extensions {
        "2.6.24": false, "before commits d7a5da7a0f7f and dfb630f548a7 (7.0)";
        "7.0": true, "commits d7a5da7a0f7f and dfb630f548a7 (7.0)";
    }
    /// Whether the kernel has nohz_full CPUs.
    has_nohz_full {
        "2.6.24": false, "before 3.10 (recalled)";
        "3.10": true, "3.10 (recalled)";
    }
    /// Whether another CPU does the tick of a nohz_full CPU whose own is stopped, once a second
    /// (sched_tick_remote()); before, such a CPU ticked once a second itself.
    ticks_remotely "remote tick" {
        "2.6.24": false, "scheduler_tick_max_deferment() of 3.10 to 4.16 (recalled)";
        "4.17": true, "commit d84b31313ef8 (4.17, recalled); read in 6.1.192 and 7.2.13";
    }
    /// Whether the tick of a nohz_full CPU stays where it alone notices that a quota is used up
    /// (cfs_task_bw_constrained()).
    tick_stays_for_quota "tick kept for a quota" {
        "2.6.24": false, "before 6.6";
        "6.6": true, "6.6: cfs_task_bw_constrained()";
    }
    /// Whether the kernel has pressure stall information.
    has_cpu_pressure {
        "2.6.24": false, "before commit eb414681d5a0 (4.20)";
        "4.20": true, "commit eb414681d5a0 (4.20)";
    }
    /// Whether CPU pressure knows which task of a group runs; before, it counts a queue of two as a
    /// stall.
    pressure_knows_who_runs {
        "2.6.24": false, "before commit b05e75d61138 (5.7, recalled)";
        "5.7": true, "commit b05e75d61138 (5.7, recalled)";
    }
    /// Whether cpu.pressure has a line `full`.
    has_full_cpu_pressure {
        "2.6.24": false, "before commit e7fcd7622823 (5.13)";
        "5.13": true, "commit e7fcd7622823 (5.13)";
    }
    /// Whether `full` of the whole machine is always 0.
    machine_has_no_full_pressure {
        "2.6.24": false, "before commit 890d550d7dba (5.19, recalled)";
        "5.19" ["5.18.3"]: true, "commit 890d550d7dba (5.19, recalled; 5.18.3 by its change log)";
    }
    /// Whether cpu.stat counts bursts.
    counts_bursts {
        "2.6.24": false, "before commit bcb1704a1ed2 (5.16, recalled)";
        "5.16": true, "commit bcb1704a1ed2 (5.16, recalled)";
    }
    /// Whether cgroup v2 has a CPU controller.
    has_unified_cpu_controller {
        "2.6.24": false, "before 4.15 (recalled)";
        "4.15": true, "4.15 (recalled)";
    }
    /// Whether a group has cpu.stat.local.
    has_local_cpu_stat {
        "2.6.24": false, "before 6.6 (recalled)";
        "6.6": true, "6.6 (recalled)";
    }
    /// Whether /proc/schedstat is version 15 or later.
    has_schedstat_15 {
        "2.6.24": false, "version 14 (recalled)";
        "3.2": true, "version 15 (recalled)";
    }
    /// Whether /proc/schedstat is version 16 or later.
    has_schedstat_16 {
        "2.6.24": false, "before commit 11b0bfa5d463 (6.10)";
        "6.10": true, "commit 11b0bfa5d463 (6.10)";
    }
    /// Whether /proc/schedstat is version 17.
    has_schedstat_17 {
        "2.6.24": false, "before commit 7c8cd569ff66 (6.14)";
        "6.14": true, "commit 7c8cd569ff66 (6.14)";
    }
    /// Whether a pick of idle on an idle CPU adds to sched_goidle of /proc/schedstat.
    idle_after_idle_counts {
        "2.6.24": true, "before 6.12 (recalled)";
        "6.12": false, "6.12 (recalled)";
    }
}
