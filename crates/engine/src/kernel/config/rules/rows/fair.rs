//! Rules of the fair class and of CPU quotas.

use crate::kernel::config::Kernel;
use crate::kernel::config::row::{BY_VERSION, Row, Since, knob, row};
use crate::kernel::config::rules::Release;
use crate::kernel::config::version::Version;

rules! {
    super::running::ROWS.len();

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
    /// EEVDF: whether all fair tasks of a CPU are on one queue, weighed by the shares of their
    /// groups; before, each group had a queue of its own and an entity on its parent's.
    flat_queue "one queue for all groups" {
        "2.6.24": false, "before commit 85570f10a4c6 (7.3)";
        "7.3": true, "commits 85570f10a4c6 and 68e37487810a (7.3); read in 7.3.4";
    }
    /// EEVDF: whether the debt of a task that sleeps on its queue cannot grow there.
    delayed_lag_never_grows "delayed lag never grows" {
        "2.6.24": false, "before commit 059258b0d424 (7.1)";
        "7.1": true, "commit 059258b0d424 (7.1); read in 7.1.3, not in 7.0.10";
    }
}
