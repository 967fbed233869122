//! CPU quotas of groups: CFS bandwidth control.

texts! { Quota;
    "has_bandwidth_control" "3.2" {
        says "Groups get CPU quotas: cpu.cfs_quota_us of each cpu.cfs_period_us."
        seen "nr_throttled and throttled_time in a group's cpu.stat; nothing without a quota."
    }
    "kernel.bandwidth.expiry" "3.16" {
        says "By mistake the run time that a CPU holds for a group no longer expires at the end of \
            the period."
        seen "In one period a group may use up to a slice (5 ms) of old run time on each CPU."
    }
    "kernel.bandwidth.expiry" "4.18" {
        says "The run time that a CPU holds for a group expires with its period again; a sequence \
            number identifies the period."
        seen "Groups with many threads that run briefly are throttled far below their quota: high \
            nr_throttled, low CPU use."
    }
    "kernel.bandwidth.expiry" "5.4" {
        says "The run time that a CPU holds for a group does not expire."
        seen "nr_throttled falls for groups with many threads that run briefly; in one period they \
            may exceed the quota slightly."
    }
    "kernel.bandwidth.distribution" "3.17" {
        says "A refilled pool is copied and the copy distributed without the lock; what was used \
            is subtracted afterwards."
        seen "A distribution can no longer go on almost without end."
    }
    "kernel.bandwidth.distribution" "5.7" {
        says "Each throttled queue's share is taken from the pool itself, under the pool's lock."
        seen "Run time is no longer handed out twice, so groups keep to their quota."
    }
    "kernel.bandwidth.list" "3.17" {
        says "A throttled queue joins the list at its head, where a distribution under way does \
            not see it."
        seen "With a low quota, queues at the list's end may starve; 4.19 ended that."
    }
    "kernel.bandwidth.list" "4.19" {
        says "A throttled queue joins the list's head only while a distribution runs, and \
            otherwise its end."
        seen "With a low quota no queue starves at the end of the list."
    }
    "kernel.bandwidth.list" "5.8" {
        says "A throttled queue always joins the end of the list."
    }
    "kernel.bandwidth.one_walk" "4.19" {
        says "Only one distribution runs at a time (distribute_running)."
    }
    "kernel.bandwidth.one_walk" "5.8" {
        says "Distributions may overlap again, because each share is taken under the lock; \
            distribute_running is gone."
    }
    "kernel.bandwidth.throttle_lasttry" "5.8" {
        says "A queue asks the pool for 1 ns once more, under the lock, just before it is \
            throttled."
        seen "A queue no longer misses the run time of a distribution that ended a moment before."
    }
    "kernel.bandwidth.slack_subtract" "5.4" {
        says "Run time that the slack timer hands out is always subtracted from the pool; before, \
            not if a refill came in between."
    }
    "kernel.bandwidth.refill" "5.14" {
        says "A refill adds to the run time left in the pool, up to quota plus burst; before, the \
            rest was lost."
        seen "cpu.max.burst (cgroup v1: cpu.cfs_burst_us); with the default burst of 0 nothing \
            changes."
    }
    "kernel.rules.aligns_period_timers" "4.2" {
        says "The period timers of groups expire at multiples of the period: groups of one period \
            are refilled together."
        seen "Groups with equal periods resume at one instant."
    }
    "kernel.rules.aligns_period_timers" "6.4" {
        says "The period timer of each group starts at a random phase; before, timers of equal \
            periods expired together."
        seen "Groups with equal periods no longer resume at one instant."
    }
    "kernel.bandwidth.csd" "6.3" {
        says "Each CPU unthrottles its own queues on a function-call IPI; before, the period \
            timer's CPU did so for all, interrupts off."
        seen "Shorter interrupts, and no hard lockups, on machines with many CPUs and groups."
    }
    "kernel.bandwidth.per_task" "6.18" {
        says "The tasks of a throttled group stop one by one on their way to user space; before, \
            the whole queue stopped at once."
        seen "A throttled task no longer holds kernel locks that others wait for."
    }
    "kernel.bandwidth.charge_throttles" "7.2" {
        says "The charge that uses up a queue's run time throttles it at once; before, the next \
            pick did."
        seen "One pass through schedule() less for each stop; the task stops at the end of the \
            same interrupt or system call."
    }
    "kernel.bandwidth.restart_refills" "4.2" {
        says "A period timer that starts again keeps to its periods; before, each start refilled \
            the pool and began new periods."
        seen "A group cannot gain run time by letting its timer stop and start."
    }
    "kernel.bandwidth.throttled_draws" "5.4" {
        says "A throttled queue no longer draws run time from the pool."
        seen "One queue no longer takes the run time of a whole period by mistake while the \
            group's other queues are throttled."
    }
    "kernel.bandwidth.slack_pushes" "5.3" {
        says "A return of run time no longer pushes forward a slack timer that is already running."
        seen "Unused run time is back in use after 5 ms, even while short tasks keep returning \
            more."
    }
    "kernel.bandwidth.rescales" "5.4" {
        says "A period timer that cannot keep up doubles period and quota, which keeps their ratio \
            exact."
        seen "dmesg says \"period too short\"; a period of some microseconds grows to one that the \
            machine can serve."
    }
    "kernel.bandwidth.rescale_last" "5.8" {
        says "The pool is refilled before period and quota are doubled, not after."
        seen "A period of the old length no longer gets the doubled quota."
    }
    "kernel.bandwidth.late_clock" "6.6" {
        says "Throttled time of a queue without tasks counts from its first task on."
        seen "throttled_usec in cpu.stat no longer grows while no task of the group waits."
    }
}
