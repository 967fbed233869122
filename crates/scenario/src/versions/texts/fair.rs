//! The fair class on one CPU.

texts! { Fair;
    "kernel.fair" "6.6" {
        says "EEVDF replaces CFS: of the tasks that have not run ahead of their share, the one \
            with the earliest virtual deadline runs."
        seen "Sleepers get no bonus; latency_ns and wakeup_granularity_ns leave debugfs sched, and \
            base_slice_ns is new."
    }
    "kernel.base_slice" "6.15" {
        says "The base slice is 0.70 ms, before 0.75 ms: 2.8 ms from 8 CPUs on, which ends by the \
            third tick of HZ=1000."
        seen "HZ=1000 and 8 CPUs or more: two busy tasks alternate after 3 ms, before after 4 ms."
        back "echo 3000000 > /sys/kernel/debug/sched/base_slice_ns  # 8 CPUs or more"
    }
    "kernel.delay_dequeue" "6.12" {
        says "A task that goes to sleep ahead of its share stays queued, not runnable, until its \
            lag is used up or it wakes."
        seen "A short sleep no longer clears a task's debt; the counts of queued tasks in debugfs \
            sched/debug include delayed ones."
        back "echo NO_DELAY_DEQUEUE > /sys/kernel/debug/sched/features"
    }
    "kernel.hrtick" "7.1" {
        says "A timer ends a fair task's slice to the microsecond, and no longer the next tick."
        seen "Three busy tasks, 8 CPUs: turns of 2.8 ms at any HZ; before 3, 4, 10 ms (HZ 1000, \
            250, 100)."
        back "echo NO_HRTICK > /sys/kernel/debug/sched/features"
    }
    "kernel.cgroup_mode" "7.3" {
        says "A group's share is multiplied by the number of CPUs that it keeps busy (concur) \
            before it is divided among CPUs."
        seen "4 CPUs, group A with a busy task on each, group B with one on CPU 0: B gets 50 % \
            there, before 80 %."
        back "echo smp > /sys/kernel/debug/sched/cgroup_mode"
    }
    "kernel.protection" "6.17" {
        says "RUN_TO_PARITY protects the running task for the least slice of its queue; before, \
            until its own request ended."
        seen "Two busy tasks with slices of 1 and 100 ms, HZ=1000: turns of 1 and 2 ms, before 100 \
            ms each."
    }
    "kernel.protection" "7.0" {
        says "Slice protection begins only as a pick makes a task run, not as its policy or group \
            changes, and follows its weight."
    }
    "kernel.protection" "7.3" {
        says "A waking task with a shorter slice preempts as soon as it is eligible, and becomes \
            the next buddy."
        seen "Tasks with a short slice (sched_setattr() with sched_runtime) wait less after a \
            wake-up."
    }
    "kernel.rules.yield_gives_up_request" "6.19" {
        says "sched_yield() moves the caller's virtual run time up to its deadline, if it is \
            eligible; before, only the deadline moved."
        seen "A task that yields after each 0.4 ms, beside a busy one: 12 % of the CPU, before 50 \
            % (slice 2.8 ms)."
    }
    "kernel.rules.has_wakeup_actions" "6.19" {
        says "A new task preempts only if its slice is shorter, and each compared wake-up that \
            does not preempt shortens the running task's protection."
        seen "The parent goes on after fork() more often, and the child waits."
    }
    "kernel.rules.lag_clamp_by_greatest_slice" "7.0" {
        says "Lag is limited to the greatest slice on the queue plus a tick; before, to twice the \
            task's own slice, at least a tick."
        seen "Slices of 1 and 100 ms, HZ=1000: a limit of 101 ms for the short one, before 2 ms."
    }
    "kernel.rules.delays_groups" "6.12" {
        says "A group's entity stays queued, with its weight, if the last task leaves it ahead of \
            its share."
        seen "Short sleeps of a group's only task no longer clear the group's debt."
        back "echo NO_DELAY_DEQUEUE > /sys/kernel/debug/sched/features"
    }
    "kernel.rules.delays_groups" "7.3" {
        says "A group's entity is no longer queued, so it cannot stay; only tasks are delayed."
    }
    "kernel.rules.flat_queue" "7.3" {
        says "All fair tasks of a CPU are in one tree, weighed by their groups' shares; before, \
            each group had a tree and an entity."
        seen "Wake-ups compare tasks, not groups: a task with a short slice preempts a task of \
            another group at once."
    }
    "kernel.rules.delayed_lag_never_grows" "7.1" {
        says "The lag of a delayed task stays at least what it was as the task went to sleep, \
            though others leave the queue."
        seen "A sleeper that had run ahead of its share joins with less debt."
    }
    "kernel.rules.has_buddies" "2.6.39" {
        says "A group whose task sleeps or is preempted is marked as next buddy if it has more \
            tasks, and is picked first."
        seen "Tasks of one cgroup run after one another more often."
    }
    "kernel.rules.has_first_cfs_form" "2.6.26" {
        says "A woken task preempts if it is 5 ms behind, before 10 ms; slices follow from all \
            levels of groups."
        seen "Woken tasks preempt a busy task sooner (times 1 + log2 of the CPUs)."
        back "sysctl kernel.sched_wakeup_granularity_ns=20000000  # 2 CPUs"
    }
    "kernel.rules.cfs_latency_is_20_ms" "2.6.32" {
        says "CFS's latency is 6 ms, before 20 ms, and a sleeper is credited with half of it, \
            before with all of it."
        seen "3 busy tasks on one of 2 CPUs: turns of 4 ms, before 13.3 ms; sleepers preempt less \
            often."
        back "sysctl kernel.sched_latency_ns=40000000  # 2 CPUs"
    }
    "kernel.rules.eevdf_has_buddies" "6.14" {
        says "EEVDF's pick looks at the next buddy (PICK_BUDDY): the group of a task that sleeps, \
            and the target of yield_to()."
        seen "A group with more tasks keeps the CPU if it is eligible; yield_to() of KVM has an \
            effect again."
        back "echo NO_PICK_BUDDY > /sys/kernel/debug/sched/features"
    }
    "kernel.rules.idle_policy_weighs_3" "2.6.29" {
        says "A SCHED_IDLE task weighs 3 instead of 2; a nice-0 task weighs 1024."
        seen "0.3 % of a CPU beside one nice-0 task, before 0.2 %."
    }
    "kernel.rules.idle_policy_gives_way" "2.6.29" {
        says "Every task that wakes preempts a running SCHED_IDLE task, and a SCHED_IDLE task that \
            wakes preempts no other."
        seen "Tasks no longer wait for a SCHED_IDLE task's slice to end."
    }
    "kernel.rules.compares_policies_of_entities" "6.12" {
        says "Idleness is compared where the groups of the two tasks meet: cpu.idle of a group \
            counts, not the policy of a task in it."
        seen "A SCHED_IDLE task inside a normal group is no longer preempted at once by tasks of \
            other groups."
    }
    "kernel.rules.compares_policies_of_entities" "7.3" {
        says "Idleness is compared task by task, because groups are no longer in the tree of the \
            run queue."
        seen "A task of a cpu.idle group no longer gives way at every wake-up; the group's weight \
            of 3 remains."
    }
    "kernel.rules.idle_entity_has_less" "5.16" {
        says "An idle task or group (SCHED_IDLE, cpu.idle) among others gets a shorter slice and \
            less credit for its sleep."
        seen "Other tasks wait less behind idle groups; debugfs sched/idle_min_granularity_ns sets \
            the slice."
    }
    "kernel.rules.spares_one_entity" "5.5" {
        says "A change of a fair task's priority asks for nothing where the run queue has only one \
            entity."
        seen "No needless reschedule IPI when a lone task is reniced."
    }
    "kernel.rules.clock_counts_from_floor" "2.6.33" {
        says "A task that is not queued keeps its virtual run time relative to its queue's \
            minimum, so it moves without the old queue's lock."
    }
    "kernel.rules.sleeper_joins_at_floor" "4.3" {
        says "A sleeping task that becomes fair (end of a PI boost, change of policy) is placed at \
            its queue's minimum at once."
        seen "Such a task no longer wakes with a virtual run time far off the others'."
    }
    "kernel.rules.policy_change_moves_up" "4.9" {
        says "A queued task whose policy changes within the fair class keeps its place; before, it \
            also moved up with the queue's minimum."
    }
    "kernel.rules.move_within_class_moves_up" "4.19" {
        says "A task that is dequeued to be moved counts from the queue's updated minimum; before, \
            the test was inverted."
    }
    "kernel.rules.groups_take_min_slice" "6.12" {
        says "A group's entity requests the shortest slice of the tasks in it; before, each group \
            requested the base slice."
        seen "A short slice (sched_setattr() with sched_runtime) also shortens waits against tasks \
            of other cgroups."
    }
    "kernel.rules.requests_kept_on_move" "6.12" {
        says "A task that is moved or reniced keeps the rest of its request; before, each move \
            began a new one."
        seen "A task no longer gets a later deadline by each migration."
        back "echo NO_PLACE_REL_DEADLINE > /sys/kernel/debug/sched/features"
    }
    "kernel.rules.scales_kept_requests" "6.13" {
        says "A change of weight scales the kept rest of a request too (reweight_entity())."
        seen "Tasks of groups whose weight changes often no longer get deadlines that are too late \
            or too early."
    }
    "kernel.rules.reweight_places_anew" "6.13" {
        says "A change of weight places a queued entity anew, so that the lag of a running one \
            grows with each change."
        seen "A kworker of the root group got 0 of 2.5 s beside a pipe between nested groups \
            (report on 6.18.44)."
    }
    "kernel.rules.reweight_places_anew" "7.1" {
        says "A change of weight scales lag, deadline and protection where the entity is; the \
            placement of 6.13 is gone."
        seen "Tasks outside groups whose weights change at each sleep get their share again; not \
            reproduced here, where weights change less often."
    }
    "kernel.rules.has_preempt_short" "6.12" {
        says "A waking task with a shorter slice may preempt a task that RUN_TO_PARITY protects."
        seen "Tasks with a short slice (sched_setattr() with sched_runtime) wait less after a \
            wake-up."
        back "echo NO_PREEMPT_SHORT > /sys/kernel/debug/sched/features"
    }
    "kernel.rules.preempted_idle_loses_protection" "6.15" {
        says "A SCHED_IDLE task that another task preempts loses its slice protection; before, the \
            pick could choose it again."
        seen "Other tasks no longer wait for the rest of a SCHED_IDLE task's slice."
    }
}
