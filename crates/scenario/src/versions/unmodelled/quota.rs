//! CPU quotas of groups.

unmodelled! { Quota;
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
