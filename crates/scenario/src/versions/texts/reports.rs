//! What a kernel reports: cpu.stat, cpu.pressure, schedstat.

texts! { Reports;
    "has_cpu_pressure" "4.20" {
        says "Pressure stall information: the share of time in which tasks waited for a CPU."
        seen "/proc/pressure/cpu and, with cgroup v2, cpu.pressure."
    }
    "pressure_knows_who_runs" "5.7" {
        says "CPU pressure of a group counts whether one of its tasks runs; before, two runnable \
            tasks on a CPU made a stall."
        seen "some of cpu.pressure no longer misses time in which a group waits for other groups."
    }
    "has_full_cpu_pressure" "5.13" {
        says "cpu.pressure has a line full: time in which a group had runnable tasks and none of \
            them ran."
        seen "A second line in cpu.pressure; a quota that throttles the whole group shows there."
    }
    "machine_has_no_full_pressure" "5.19" {
        says "full of the whole machine is always 0, because it has no meaning there."
        seen "The line full of /proc/pressure/cpu reads 0."
    }
    "counts_bursts" "5.16" {
        says "cpu.stat counts the periods that used a burst, and their run time above the quota."
        seen "nr_bursts and burst_usec (cgroup v1: burst_time) in cpu.stat."
    }
    "has_unified_cpu_controller" "4.15" {
        says "cgroup v2 has a CPU controller: cpu.weight, cpu.max, cpu.stat."
        seen "The cpu controller can be enabled in cgroup.subtree_control."
    }
    "has_local_cpu_stat" "6.6" {
        says "A group of cgroup v2 reports its own throttling, without its parents' groups, in \
            cpu.stat.local."
        seen "A file cpu.stat.local with throttled_usec."
    }
    "has_schedstat_15" "3.2" {
        says "/proc/schedstat is version 15: the unused counters yld_exp_empty, yld_act_empty and \
            yld_both_empty are gone."
        seen "Readers of /proc/schedstat find fewer columns in the lines of CPUs."
    }
    "has_schedstat_16" "6.10" {
        says "/proc/schedstat is version 16: the columns of busy and idle balancing changed places \
            in the lines of domains."
        seen "Readers that do not look at the version mix up busy and idle balancing."
    }
    "has_schedstat_17" "6.14" {
        says "/proc/schedstat is version 17: lb_imbalance became four counters (load, util, task, \
            misfit), and domains have names."
        seen "Readers of /proc/schedstat find more columns in the lines of domains."
    }
    "idle_after_idle_counts" "6.12" {
        says "A pick of the idle task on a CPU that is already idle no longer counts in \
            sched_goidle of /proc/schedstat."
        seen "sched_goidle grows more slowly."
    }
}
