//! Preemption models.

texts! { Preemption;
    "kernel.double_lock" "2.6.30" {
        says "With CONFIG_PREEMPT, a CPU that needs a second run-queue lock releases its own and \
            takes both in order of CPU numbers."
        seen "CPUs with high numbers no longer wait longest for run-queue locks while RT tasks are \
            pushed and pulled."
    }
    "has_preempt_dynamic" "5.12" {
        says "PREEMPT_DYNAMIC (x86): the boot option preempt= chooses none, voluntary or full."
        seen "One kernel image serves all three models; dmesg says \"Dynamic Preempt\"."
    }
    "has_preempt_rt_merged" "6.12" {
        says "PREEMPT_RT is in the mainline kernel (x86, arm64, riscv); before, it needed the RT \
            patch set."
        seen "CONFIG_PREEMPT_RT=y builds without patches; other builds do not change."
    }
    "has_lazy_preemption" "6.13" {
        says "PREEMPT_LAZY exists: only requests for fair tasks wait, until the return to user \
            space or the next tick."
        seen "preempt=lazy at boot, and lazy in debugfs sched/preempt; nothing changes unless it \
            is chosen."
    }
    "kernel.preempt" "7.0" {
        says "Kconfig's default becomes PREEMPT_LAZY: a fair task's request to reschedule waits \
            for the return to user space, at most until the next tick."
        seen "A fair task woken from another CPU waits up to one tick behind user code (HZ=1000: 1 \
            ms); RT tasks do not."
        back "echo full > /sys/kernel/debug/sched/preempt  # needs CONFIG_PREEMPT_DYNAMIC"
    }
    "has_none_and_voluntary" "7.0" {
        says "An architecture with lazy preemption no longer offers none and voluntary, neither at \
            build nor at boot."
        seen "preempt=none and preempt=voluntary are refused; debugfs sched/preempt lists full and \
            lazy."
    }
    "has_slice_extensions" "7.0" {
        says "With CONFIG_RSEQ_SLICE_EXTENSION a thread may ask through its rseq area for some \
            microseconds more before it is preempted."
        seen "Nothing unless the kernel is built with the option and a program asks; the default \
            is 5 us (debugfs rseq/slice_ext_nsec)."
    }
}
