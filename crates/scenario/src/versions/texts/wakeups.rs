//! Wake-ups, locks, IPIs and softirqs.

texts! { Wakeups;
    "kernel.spinlock" "4.2" {
        says "x86 takes queued spinlocks in place of ticket locks: each waiter spins on a cache \
            line of its own."
        seen "A contended lock costs the same for any number of waiters; perf shows \
            native_queued_spin_lock_slowpath()."
    }
    "kernel.ttwu_queue" "3.0" {
        says "A remote wake-up puts the task on the target's wake-list and sends a reschedule IPI; \
            the waker takes no remote run-queue lock."
        seen "Less contention on run-queue locks, more reschedule IPIs (RES in /proc/interrupts)."
        back "echo NO_TTWU_QUEUE > /sys/kernel/debug/sched/features"
    }
    "kernel.ttwu_queue" "3.3" {
        says "Wake-lists serve only CPUs that share no cache with the waker; within a last-level \
            cache the waker takes the lock again."
        seen "Fewer reschedule IPIs within a cache. NO_TTWU_QUEUE turns wake-lists off altogether."
    }
    "kernel.ttwu_queue" "5.8" {
        says "Wake-lists use the function-call list and its IPI; a task that is still being \
            switched out may be queued there too."
        seen "Wake-ups across caches count as CAL in /proc/interrupts, and no longer as RES."
    }
    "kernel.ttwu_queue" "6.0" {
        says "A wake-up for a CPU that has nothing to run goes to the wake-list even within a \
            cache: the idle CPU does the work."
        seen "Wakers spend less time under run-queue locks. NO_TTWU_QUEUE turns wake-lists off \
            altogether."
    }
    "ttwu_on_cpu" "3.0" {
        says "try_to_wake_up() works under p->pi_lock and spins while the task is still being \
            switched out; before, it held that CPU's run-queue lock."
        seen "Fewer waits for run-queue locks (perf lock)."
    }
    "ttwu_on_cpu" "5.8" {
        says "A waker queues a task that is still being switched out on that CPU's wake-list \
            instead of spinning (WF_ON_CPU)."
        seen "Less time in try_to_wake_up() for tasks that sleep and are woken at once."
    }
    "ttwu_on_cpu" "6.0" {
        says "A task that is still being switched out goes to the wake-list by the rule of every \
            wake-up; WF_ON_CPU is gone."
    }
    "kernel.ipi_polling_elide" "3.16" {
        says "A wake-list entry for a CPU whose idle loop polls need_resched only sets the flag; \
            before, it always sent an IPI."
        seen "Fewer reschedule IPIs to idle CPUs that poll; on x86 those in mwait count as polling."
    }
    "kernel.rules.has_one_call_list" "5.8" {
        says "Wake-lists, remote irq_work and function calls share one list for each CPU, and only \
            its first entry sends an IPI."
        seen "Fewer IPIs where several requests reach a CPU together."
    }
    "kernel.rules.raises_own_irq_work" "5.2" {
        says "irq_work that a CPU queues on itself raises that CPU's irq_work vector; before, it \
            sent a function call to itself."
        seen "IWI in place of CAL in /proc/interrupts."
    }
    "kernel.rules.moves_waiter_at_once" "3.18" {
        says "sched_setaffinity() moves a waiting task by itself; before, it woke the stopper for \
            every queued task."
        seen "Fewer wake-ups of migration/N when affinities change."
    }
    "kernel.ksoftirqd_defers" "4.9" {
        says "While ksoftirqd is runnable, an interrupt's exit leaves softirqs to it, so that \
            tasks get CPU time under a flood of packets."
        seen "Under load softirqs wait for ksoftirqd (nice 0): behind fair tasks, and behind RT \
            tasks for as long as those run."
    }
    "kernel.ksoftirqd_defers" "6.5" {
        says "An interrupt's exit runs pending softirqs even if ksoftirqd is runnable, because the \
            wait for ksoftirqd delayed them too long."
        seen "Network softirqs no longer wait for ksoftirqd to be scheduled; a flood of packets \
            again takes time from the interrupted task."
    }
    "kernel.rules.stoppers_skip_wake_list" "6.16" {
        says "A wake-up of a stopper takes the run-queue lock, and never goes to the wake-list."
        seen "Waking migration/N on an idle CPU takes a lock and at most a reschedule IPI, no \
            longer a function-call IPI."
    }
    "kernel.rules.tasklets_run_at_once" "4.16" {
        says "An interrupt's exit runs softirqs at once if a tasklet (HI or TASKLET) is pending, \
            although ksoftirqd is runnable."
        seen "Drivers that use tasklets no longer wait for ksoftirqd."
    }
    "kernel.rules.tasklets_run_at_once" "6.5" {
        says "The exception for tasklets is gone, because softirqs are no longer left to ksoftirqd."
    }
    "kernel.rules.softirqs_mind_time" "3.9" {
        says "An interrupt's exit restarts softirqs for at most 2 ms and only while need_resched \
            is clear; before, it counted the restarts only."
        seen "Long softirq work moves to ksoftirqd sooner, and tasks wait less behind it."
    }
    "hrtimer_hang_guard" "2.6.33" {
        says "hrtimer_interrupt() gives up after three rounds that find expired timers, and delays \
            its next interrupt."
        seen "dmesg says \"hrtimer: interrupt took\" where the machine would hang before."
    }
}
