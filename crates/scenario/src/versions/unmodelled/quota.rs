//! CPU quotas of groups.

unmodelled! { Quota;
    "throttling at the charge": "The charge that uses up a queue's run time throttles it at once; \
        before, the next pick did." {
        "7.2" {
            source "commits f666241e6bd5, 28ad5427682b, 102a28344a60 (7.2); read in 7.2.13, not in \
                7.1.13"
            seen "One context switch less for each stop; the group stops at the end of the same \
                interrupt or system call."
        }
    }
    "throttled time from the first stop": "throttled_usec counts from the dequeue of the group's \
        first task; before, from the decision to throttle." {
        "6.18" {
            source "read in 6.18.5: record_throttle_clock(); not in 6.17.8"
            seen "throttled_usec is slightly smaller for tasks that stay long in the kernel."
        }
    }
    "periods scaled by 147/128": "A period timer that cannot keep up scales period and quota by \
        147/128." {
        "5.1" {
            source "commit 2e8e19226398 (5.1)"
            seen "No hard lockup with very short periods; dmesg says \"period too short\"."
        }
        "5.4" {
            source "commit 4929a4e6faa0 (5.4)"
            says "A period timer that cannot keep up doubles period and quota, in place of 147/128."
            seen "The ratio of quota to period stays exact."
        }
    }
}
