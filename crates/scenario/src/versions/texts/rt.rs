//! Real-time tasks: balancing, throttling, the fair server.

texts! { RealTime;
    "kernel.rt_balance" "2.6.25" {
        says "RT tasks are pushed and pulled between CPUs by priority; before, only load balancing \
            moved them."
        seen "A waiting RT task moves at once to a CPU that runs a lower priority."
    }
    "kernel.rt_balance" "2.6.30" {
        says "Each run queue keeps its waiting, movable RT tasks in a list by priority, and a push \
            takes the first one."
        seen "A push that fails for the first task tries the next ones; less searching with many \
            RT tasks."
    }
    "kernel.rt_balance" "3.19-push-ipi" {
        says "S. Rostedt's posted patch: a CPU about to run a lower priority sends a reschedule \
            IPI to each overloaded CPU, which then pushes."
        seen "cyclictest on 40 CPUs: 300 to 500 us without it, 150 us with its first form of \
            December 2012."
    }
    "kernel.rt_balance" "4.1" {
        says "A CPU about to run a lower priority sends its own IPI around the overloaded CPUs, \
            which push; it no longer pulls under their locks."
        seen "CPUs no longer gather at one run-queue lock: up to 500 us of latency on 40 CPUs \
            before."
    }
    "kernel.rt_balance" "4.15" {
        says "One IPI at a time walks the overloaded CPUs of a root domain; before, each CPU that \
            lowered its priority sent its own."
        seen "On machines with many CPUs an overloaded CPU is no longer flooded with IPIs (IWI in \
            /proc/interrupts)."
    }
    "kernel.rt_balance" "7.0" {
        says "The IPI's walk skips the CPU that it is on; before, that CPU could queue the same \
            irq_work to itself again and again."
        seen "A CPU with an RT task that it cannot push no longer stays in \
            rto_push_irq_work_func()."
    }
    "kernel.rt_push_ipi" "3.19-push-ipi" {
        says "S. Rostedt's posted patch: the feature RT_PUSH_IPI, on where more than 16 CPUs are \
            possible."
    }
    "kernel.rt_push_ipi" "4.1" {
        says "RT_PUSH_IPI, on by default: a CPU asks overloaded CPUs by IPI to push, and takes no \
            remote run-queue lock to pull."
        seen "irq_work interrupts (IWI in /proc/interrupts) in place of contended run-queue locks."
        back "echo NO_RT_PUSH_IPI > /sys/kernel/debug/sched/features"
    }
    "kernel.rt_push_ipi" "7.2" {
        says "RT_PUSH_IPI is off by default, except under PREEMPT_RT: CPUs pull RT tasks under the \
            run-queue locks, as before 4.1."
        seen "No push IPIs into long softirqs; with many CPUs, contention on the lock of one \
            overloaded CPU may return."
        back "echo RT_PUSH_IPI > /sys/kernel/debug/sched/features"
    }
    "kernel.cpupri" "2.6.27" {
        says "cpupri, a map from priorities to CPUs, finds the CPUs for a push; before, every \
            search looked at all CPUs."
        seen "Less time in find_lowest_rq() with many CPUs."
    }
    "kernel.cpupri" "5.11" {
        says "cpupri has 101 levels in place of 102: the level for idle CPUs was never filled and \
            is gone."
    }
    "kernel.overload_def" "2.6.25" {
        says "A run queue counts as overloaded only if it has several RT tasks and one of them may \
            run elsewhere."
        seen "Fewer pulls that find nothing to move."
    }
    "kernel.overload_def" "6.7" {
        says "A run queue counts as overloaded while its list of pushable tasks is not empty; the \
            counter rt_nr_migratory is gone."
        seen "Fewer push IPIs to CPUs that have nothing to push."
    }
    "kernel.rto_scope" "2.6.25" {
        says "Overloaded CPUs are recorded for each root domain, that is, for each exclusive \
            cpuset."
        seen "RT tasks are not pulled across exclusive cpusets, nor do CPUs look there."
    }
    "kernel.lowest_pick" "2.6.25" {
        says "Of the CPUs with the lowest priority a push takes the nearest: the task's own, then \
            by domain, the executing CPU first."
        seen "Pushed RT tasks stay closer to their caches."
    }
    "kernel.lowest_pick" "5.11" {
        says "Pushes go to the CPUs of lowest priority in turn; before, the lowest CPU number of a \
            domain was always chosen."
        seen "Pushed RT tasks no longer gather on CPUs with low numbers."
    }
    "kernel.push_running" "5.11" {
        says "If a waiting RT task has migration disabled, the stopper pushes the running task \
            away in its place."
        seen "migration/N runs on CPUs where such a task waits, mostly under PREEMPT_RT."
    }
    "kernel.rt_throttle" "2.6.25" {
        says "RT throttling: RT tasks of a CPU run at most 950 ms of each second."
        seen "An RT loop leaves 5 % of its CPU to other tasks."
        back "sysctl -w kernel.sched_rt_runtime_us=-1"
    }
    "kernel.rt_throttle" "2.6.26" {
        says "A CPU that has used up its RT run time borrows what other CPUs of its root domain \
            leave."
        seen "One RT loop may take 100 % of its CPU for as long as other CPUs have RT run time to \
            lend."
    }
    "kernel.rt_throttle" "5.10" {
        says "RT_RUNTIME_SHARE is off by default: a CPU no longer borrows RT run time from other \
            CPUs."
        seen "An RT loop gets 95 % of its CPU, no longer 100 %; fair tasks there run 50 ms of each \
            second."
        back "echo RT_RUNTIME_SHARE > /sys/kernel/debug/sched/features"
    }
    "kernel.rt_throttle" "6.12" {
        says "RT throttling is gone without RT_GROUP_SCHED; a deadline server runs starved fair \
            tasks for 50 ms of each second."
        seen "RT tasks keep 100 % where no fair task waits; a starved fair task waits 950 ms \
            (debugfs sched/fair_server/cpuN)."
    }
    "kernel.rules.has_post_schedule_hook" "4.2" {
        says "Pushes that a pick asks for are on a list of balance callbacks, which policy and \
            priority changes use too; post_schedule() is gone."
    }
    "kernel.rules.pushes_after_same_pick" "6.12" {
        says "A pick that finds the running RT task again asks for no push: \
            put_prev_set_next_task() does nothing for the same task."
        seen "Fewer push attempts on a CPU whose RT task goes on running."
    }
    "kernel.rules.rechecks_after_lock" "6.16" {
        says "A push that had to release its run-queue lock checks that its task is still the \
            first pushable one (CVE-2025-38234)."
        seen "A rare race, in which a task was moved that had meanwhile run elsewhere, no longer \
            crashes the machine."
    }
    "kernel.rules.late_rt_period_fires_at_once" "4.6" {
        says "The RT period timer fires at once if it starts after the beginning of its next \
            period; before, it skipped to the next multiple."
        seen "RT run time of an earlier period no longer counts in the present one, so needless \
            throttling ends."
    }
    "kernel.rules.overrun_starts_rt_period" "5.17" {
        says "A run queue that has used up its RT run time starts the period timer if none is \
            running."
        seen "Running RT tasks no longer stay throttled after sched_rt_runtime_us was changed from \
            -1 to a limit."
    }
    "kernel.rules.has_first_fair_server" "6.12" {
        says "The first fair server: it starts with the first fair task of a run queue, and stops \
            as the last one leaves."
        seen "debugfs sched/fair_server/cpuN appears; runtime 0 turns the server of a CPU off."
    }
    "kernel.rules.has_first_fair_server" "6.17" {
        says "The last fair task that sleeps no longer stops the server, and its timer stops it \
            later, because starting and stopping cost too much."
        seen "Less time in dl_server_start() and dl_server_stop() where fair tasks sleep and wake \
            often."
    }
    "kernel.rules.new_period_ends_serving" "6.19" {
        says "A fair server that starts in a new period waits for starvation again; before, it \
            served at once if it had served last."
        seen "A fair task that sleeps past the server's period waits up to 950 ms behind RT tasks \
            again, before 0."
    }
    "kernel.rules.server_revises_wakeup" "7.0" {
        says "A fair server that starts with too much runtime for the time left gets less and \
            serves at once, served before or not."
        seen "A fair task that wakes behind RT tasks late in the server's period runs at once, for \
            5 % of the time left."
    }
    "kernel.rules.server_revises_wakeup" "7.2" {
        says "Only a fair server that was serving has its runtime cut as it starts; another one \
            waits in a new period again."
        seen "A fair task that was not starved before waits up to 950 ms behind RT tasks again."
    }
    "kernel.rules.serving_server_revises_wakeup" "7.0" {
        says "A fair server that was serving and starts with too much runtime for the time left \
            gets less and goes on; before, it waited."
        seen "A fair task starved a second time in a server's period runs at once, for 5 % of the \
            time left."
    }
    "kernel.rules.idle_charges_server" "6.19" {
        says "Idle time is charged to the fair server as it passes, and may begin new periods; \
            before, it was subtracted as the CPU left idle."
        seen "The server's timer ends on a CPU that was idle for a whole period."
    }
    "kernel.rules.late_server_waits" "6.17" {
        says "A fair server that uses up its runtime after its deadline waits a whole period; \
            before, it was replenished and went on."
        seen "On a nohz_full CPU a server's turn that nobody noticed for long is followed by a \
            second without one."
    }
    "kernel.rules.server_is_running" "6.12" {
        says "A queued fair server counts in nr_running of its run queue."
        seen "A nohz_full CPU ticks while the server serves, so its turn ends at most a tick late."
    }
    "kernel.rules.server_is_running" "6.17" {
        says "A queued fair server no longer counts in nr_running of its run queue."
        seen "On a nohz_full CPU the server's turn ends at the remote tick: 50 ms to 1.05 s, \
            before at most a tick late."
    }
}
