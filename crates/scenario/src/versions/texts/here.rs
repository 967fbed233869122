//! Posted series that a scenario may choose.

texts! { Here;
    "is_base_of_rfc2023" "6.6" {
        says "A. Arora's series of November 2023, posted for this code and not merged, can be \
            chosen as kernel.preempt here."
    }
    "is_base_of_rfc2023" "6.12" {
        says "A. Arora's series of November 2023 does not fit this code and cannot be chosen here."
    }
    "is_base_of_auto2024" "6.6" {
        says "A. Arora's series of May 2024, posted for 6.9 and not merged, can be chosen as \
            kernel.preempt here."
    }
    "is_base_of_auto2024" "6.12" {
        says "A. Arora's series of May 2024 does not fit this code and cannot be chosen here."
    }
}
