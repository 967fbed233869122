//! Load balancing, the choice of CPUs, and ticks.

texts! { Balancing;
    "kernel.ni_random" "6.19" {
        says "A CPU about to go idle searches a domain with a probability equal to its recent \
            success rate there; before, it always searched."
        seen "Less time in sched_balance_newidle() where it rarely finds a task; single pulls may \
            come later."
        back "echo NO_NI_RANDOM > /sys/kernel/debug/sched/features"
    }
    "kernel.llc_balancing" "7.2" {
        says "Load balancing gathers the threads of a process in one last-level cache \
            (CONFIG_SCHED_CACHE)."
        seen "Processes with few busy threads settle in one cache each; debugfs \
            sched/llc_balancing has the limits."
        back "echo 0 > /sys/kernel/debug/sched/llc_balancing/enabled"
    }
    "kernel.nohz_ilb" "5.16" {
        says "A CPU that stops its tick has the next busy tick kick an idle CPU, which brings \
            nohz.next_balance up to date."
        seen "CPUs that have just gone idle are balanced in time; more NOHZ kicks."
    }
    "kernel.nohz_ilb" "6.11" {
        says "A NOHZ kick that would set no new flag ends early."
        seen "Less time in sched_balance_trigger() on machines with many CPUs."
    }
    "kernel.idle_stop_policy" "7.0" {
        says "Without a cpuidle driver, or with one idle state, the tick stops only after one tick \
            in idle; before, at once."
        seen "Guests without a cpuidle driver program their timer less often in short sleeps, and \
            take one tick more in long ones."
    }
    "has_nohz_full" "3.10" {
        says "nohz_full=: a CPU of this list stops its tick while it runs a single task."
        seen "LOC in /proc/interrupts hardly grows on such a CPU; nothing without the boot option."
    }
    "kernel.rules.ticks_remotely" "4.17" {
        says "Each second another CPU does the scheduler's tick for a nohz_full CPU whose own is \
            stopped; before, that CPU ticked once a second itself."
        seen "nohz_full CPUs that run one task no longer tick once a second (LOC in \
            /proc/interrupts)."
    }
    "kernel.rules.tick_stays_for_quota" "6.6" {
        says "The tick of a nohz_full CPU stays on while the only fair task there has a quota."
        seen "Quotas hold on nohz_full CPUs, and their ticks are back (LOC in /proc/interrupts)."
    }
    "kernel.rules.has_wake_wide" "3.12" {
        says "wake_wide(): a task that wakes more others than its cache has CPUs no longer draws \
            them to its own CPU."
        seen "Servers with one dispatcher and many workers use more caches."
    }
    "kernel.rules.wake_wide_goes_both_ways" "4.3" {
        says "wake_wide() compares both tasks: it also counts if the woken task is the one that \
            wakes many."
    }
    "kernel.rules.idle_waker_always_draws" "4.16" {
        says "A wake-up from an interrupt on an idle CPU draws the task there only within a cache, \
            and only from a busy CPU."
        seen "Fewer migrations of tasks that wait for devices."
    }
    "kernel.rules.searches_idle_threads" "4.9" {
        says "A wake-up takes an idle core, else any idle thread of the cache; before, only idle \
            cores and the own core counted."
        seen "With SMT, tasks share a CPU less often while threads of other cores are idle."
    }
    "kernel.rules.tries_own_core_first" "5.13" {
        says "Where no core is idle, a wake-up first takes an idle thread of the core where the \
            task ran (select_idle_smt())."
        seen "With SMT, fewer migrations between cores under load."
    }
    "kernel.rules.balances_from_idle_cores" "6.6" {
        says "A CPU of an idle core balances a domain above its core; before, the first idle CPU \
            did, also beside a busy thread."
        seen "With SMT, tasks of a crowded cache go to idle cores before they share one."
    }
    "kernel.rules.kicks_idle_cores" "7.3" {
        says "A NOHZ kick goes to a CPU whose whole core is idle, if there is one; before, to the \
            first idle CPU."
        seen "With SMT, balancing disturbs a busy sibling less."
    }
    "kernel.rules.wakes_on_sched_idle_cpus" "5.4" {
        says "A wake-up that finds no idle CPU takes a CPU that has only SCHED_IDLE tasks to run."
        seen "Background SCHED_IDLE tasks give up their CPU before tasks share one."
    }
    "kernel.rules.search_prefers_idle_cpus" "5.6" {
        says "The search of a cache takes a CPU that has only SCHED_IDLE tasks as readily as an \
            idle one."
        seen "Searches end sooner; SCHED_IDLE tasks are preempted although other CPUs are idle."
    }
    "kernel.rules.balances_sched_idle_cpus_as_idle" "5.6" {
        says "A CPU that has only SCHED_IDLE tasks balances as often as an idle CPU."
        seen "Such a CPU pulls waiting tasks sooner."
    }
    "kernel.rules.busy_factor_is_16" "5.10" {
        says "A busy CPU balances 16 times less often than an idle one, before 32 times."
        seen "busy_factor of a domain in debugfs reads 16; uneven loads of busy CPUs are corrected \
            sooner."
    }
    "kernel.rules.wake_list_ends_newidle" "5.14" {
        says "A CPU about to go idle does not search for tasks if its wake-list has one."
        seen "Such a wake-up no longer waits for the search to end."
    }
    "kernel.rules.newidle_gate_is_search_cost" "5.16" {
        says "A CPU about to go idle compares its average idle time with the cost of its lowest \
            domain's search, no longer with sched_migration_cost."
        seen "CPUs whose searches are cheap search more often before they go idle."
    }
    "kernel.rules.load_failures_wake_no_stopper" "5.12" {
        says "Failed attempts to balance load no longer wake a stopper to move the running task; \
            failures to balance task counts do."
        seen "Fewer wake-ups of migration/N."
    }
    "kernel.rules.follows_blocked_load" "4.17" {
        says "Idle CPUs update the decaying load of CPUs with a stopped tick, until it is gone."
        seen "Idle CPUs no longer seem loaded, or utilised, long after their tasks left."
    }
    "kernel.rules.ilb_minds_need_resched" "6.13" {
        says "A NOHZ kick is no longer dropped because need_resched is set, which a wake-up of a \
            polling CPU always sets."
        seen "Idle CPUs that poll do balance for others when they are kicked."
    }
}
