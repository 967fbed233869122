//! Real-time tasks, PREEMPT_RT and servers.

unmodelled! { RealTime;
    "PREEMPT_RT: threads for interrupts": "Under PREEMPT_RT device interrupts run in threads irq/N \
        (FIFO 50), softirqs in those threads or in ksoftirqd." {
        "6.12" {
            source "PREEMPT_RT is in since 6.12; irq_setup_forced_threading() and invoke_softirq() \
                read in 6.12.117"
            seen "A FIFO task above 50 loses only the hard part of an interrupt; chrt can move \
                irq/N."
        }
    }
    "PREEMPT_RT: ktimers": "Under PREEMPT_RT timer softirqs run in ktimers/N (FIFO 1); before, in \
        ksoftirqd (SCHED_OTHER)." {
        "6.13" {
            source "6.13 recalled; read in 6.16.3, not in 6.12.117"
            seen "Sleeps and timeouts of fair tasks no longer end late beside a busy fair task."
        }
    }
    "PREEMPT_RT: no lock for softirqs": "Under PREEMPT_RT local_bh_disable() takes no lock of its \
        CPU, unless PREEMPT_RT_NEEDS_BH_LOCK is chosen." {
        "6.18" {
            source "commit 3253cb49cbad (6.18); read in 6.18.5, not in 6.17.8"
            seen "An RT task that sends packets no longer waits for another thread's softirq work."
        }
    }
    "second interrupt thread at FIFO 49": "The second thread of a forced-threaded interrupt \
        (irq/N-s) runs at FIFO 49; before, at 50." {
        "6.19" {
            source "read in 6.19.10: sched_set_fifo_secondary(); not in 6.18.15"
            seen "ps -eLo rtprio,comm shows 49 for irq/N-s threads."
        }
    }
    "RT limit of 1 s": "sched_rt_runtime_us is 1000000 by default, before 950000; since 6.12 the \
        fair server, not this limit, leaves time to fair tasks." {
        "7.2" {
            source "commit c2e390197ad1 (7.2); read in 7.2.13, not in 7.1.13; the room of deadline \
                tasks is inferred"
            seen "Deadline tasks may take up to 95 % of a CPU (7.1: 85 %); RT tasks lose a limit \
                only with RT_GROUP_SCHED."
            back "sysctl -w kernel.sched_rt_runtime_us=950000"
        }
    }
    "pushes pass over bound tasks": "A push takes the first waiting task whose migration is not \
        disabled, so it no longer moves the running task instead." {
        "7.3" ["7.2.7"] {
            source "change log of 7.2.7 (\"Skip migrate-disabled tasks when picking a push \
                candidate\"); read in 7.2.13, not in 7.1.13: pick_next_pushable_task()"
            seen "Fewer wake-ups of migration/N; only a pull (RT_PUSH_IPI off) still moves the \
                running task."
        }
    }
    "ext server": "A second deadline server runs sched_ext tasks for 50 ms of each second beside \
        RT tasks." {
        "7.0" {
            source "read in 7.0.7: ext_server; not in 6.19.13"
            seen "debugfs sched/ext_server/cpuN; in 7.1 its 5 % are reserved without a BPF \
                scheduler too."
            back "for f in /sys/kernel/debug/sched/ext_server/cpu*/runtime; do echo 0 > $f; done"
        }
    }
    "servers attach and detach": "A server has bandwidth only while it can be needed: the ext \
        server with a BPF scheduler, the fair server without a full one." {
        "7.2" {
            source "read in 7.2.13: dl_bw_attached; not in 7.1.13"
            seen "Deadline tasks get the 5 % that an unused server had reserved."
        }
    }
}
