//! The fair class.

unmodelled! { Fair;
    "forked child keeps no request": "A forked child no longer inherits a kept request \
        (rel_deadline) from its parent." {
        "7.1" ["6.12.91", "7.0.10"] {
            source "change log of 6.12.91 (\"Clear rel_deadline when initializing forked \
                entities\"); read in 6.12.107, 7.0.10 and 7.1.3"
        }
    }
    "wake-ups pick past delayed tasks": "A wake-up comparison that meets a delayed task dequeues \
        it and picks again; before, it preempted nothing." {
        "7.1" ["7.0.10"] {
            source "change log of 7.0.10 (\"Fix wakeup_preempt_fair() vs delayed dequeue\"); read \
                in 7.0.10, not in 7.0.7"
            seen "Wake-ups preempt although a sleeping task is still queued."
        }
    }
    "unchanged priority asks nothing": "A change of policy or nice value that leaves the priority \
        as it was no longer asks to reschedule." {
        "6.19" {
            source "read in 6.19.10: prio_changed_fair(); not in 6.18.15"
        }
    }
    "least slice of groups kept current": "A group's entity takes the new least slice at every \
        enqueue and dequeue inside the group; before, an old one could stay." {
        "6.15" ["6.12.23"] {
            source "change log of 6.12.23 (\"Force propagating min_slice of cfs_rq\"); 6.15 \
                recalled; read in 6.12.57 and 6.16.3"
        }
    }
    "delayed tasks do not count in WF_SYNC": "A synchronous wake-up asks whether the waker is \
        alone without counting delayed tasks." {
        "6.15" ["6.12.37"] {
            source "change log of 6.12.37 (\"Fixup wake_up_sync() vs DELAYED_DEQUEUE\"); 6.15 \
                recalled; read in 6.12.57 and 6.16.3"
            seen "Pipes and other synchronous wakers keep the woken task on their CPU although a \
                sleeper is still queued."
        }
    }
    "least and greatest slice exact": "The tree's cached least and greatest slices are always \
        those of the queued tasks; before, they could be stale." {
        "7.3" ["7.2.7"] {
            source "change log of 7.2.7 (\"Fix augmented max_slice\"); read in 7.2.13, not in \
                7.1.13"
        }
    }
    "SCHED_EXT": "BPF programs may replace the fair class's decisions (sched_ext)." {
        "6.12" {
            source "6.12; kernel/sched/ext.c read in 6.12.57, not in 6.1.192"
            seen "Nothing until a BPF scheduler is loaded (/sys/kernel/sched_ext/state)."
        }
    }
    "proxy execution": "With CONFIG_SCHED_PROXY_EXEC a task that waits for a mutex lends its turn \
        to the owner." {
        "6.17" {
            source "read in 6.17.8: init/Kconfig SCHED_PROXY_EXEC; not in 6.16.3"
            seen "Nothing in ordinary builds: the option needs EXPERT."
        }
    }
}
