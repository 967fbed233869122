//! Lines of switches of the kernel, the machine and its devices.

use serde_json::json;

use super::*;

#[test]
fn a_line_is_written_for_the_releases_that_have_what_it_needs_named_by_the_page_or_not() {
    let file = |version: &str| {
        let all = lines(&json!({ "kernel.version": version, "kernel.rt_push_ipi": "off" }));
        all.join(",").split_once("tee ").unwrap().1.to_owned()
    };
    for version in ["4.1.52", "5.4.290", "5.12.19"] {
        assert_eq!(file(version), "/sys/kernel/debug/sched_features");
    }
    for version in ["5.13", "5.15.167", "6.8.0"] {
        assert_eq!(file(version), "/sys/kernel/debug/sched/features");
    }
}

#[test]
fn a_feature_is_a_token_of_sched_features_whose_file_moved_with_5_13() {
    assert_eq!(
        lines(&json!({ "kernel.version": "4.1", "kernel.rt_push_ipi": "off" })),
        ["root: echo NO_RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched_features"]
    );
    assert_eq!(
        lines(&json!({ "kernel.version": "6.12", "kernel.rt_push_ipi": "on" })),
        ["root: echo RT_PUSH_IPI | sudo tee /sys/kernel/debug/sched/features"]
    );
    let by_cpus = json!({ "kernel.version": "4.1", "kernel.rt_push_ipi": "auto_gt16" });
    assert!(lines(&by_cpus).is_empty());
}

#[test]
fn a_preemption_model_is_an_option_of_the_build_before_5_12_and_a_word_and_a_file_from_then_on() {
    assert_eq!(
        lines(&json!({ "kernel.version": "4.19", "kernel.preempt": "none" })),
        ["build: CONFIG_PREEMPT_NONE=y"]
    );
    assert_eq!(
        lines(&json!({ "kernel.version": "6.13", "kernel.preempt": "lazy" })),
        [
            "build: CONFIG_PREEMPT_DYNAMIC=y",
            "boot: preempt=lazy",
            "root: echo lazy | sudo tee /sys/kernel/debug/sched/preempt",
        ]
    );
    assert_eq!(
        lines(&json!({ "kernel.version": "6.13", "kernel.preempt": "rt" })),
        ["build: CONFIG_PREEMPT_RT=y"]
    );
    // The lazy model came with 6.13.
    let early = json!({ "kernel.version": "6.12", "kernel.preempt": "lazy" });
    assert!(lines(&early).is_empty());
    let posted = json!({ "kernel.version": "6.6", "kernel.preempt": "rfc2023-none" });
    assert!(lines(&posted).is_empty());
}

#[test]
fn what_the_version_decides_and_what_has_no_effect_needs_no_line() {
    let mut run = stating(&json!({ "kernel.rt_push_ipi": "on", "kernel.ttwu_queue": "off" }));
    run.knobs[0].is_stated = false;
    run.knobs[1].is_inert = true;
    assert!(of_run(&run, &Node::Object(Vec::new()), "").0.lines.is_empty());
}

#[test]
fn the_limit_of_real_time_tasks_is_lifted_before_period_and_runtime_are_written_in_one_line() {
    let both = json!({
        "kernel.sched_rt_runtime_us": 950_000, "kernel.sched_rt_period_us": 1_000_000,
    });
    assert_eq!(
        lines(&both),
        ["root: sudo sysctl kernel.sched_rt_runtime_us=-1 kernel.sched_rt_period_us=1000000 \
            kernel.sched_rt_runtime_us=950000"]
    );
}

#[test]
fn no_limit_of_real_time_tasks_is_a_sysctl_and_no_fair_server_from_6_12_on() {
    let off =
        |version: &str| lines(&json!({ "kernel.version": version, "kernel.rt_throttle": "off" }));
    assert_eq!(off("6.6"), ["root: sudo sysctl kernel.sched_rt_runtime_us=-1"]);
    assert!(off("6.12")[0].contains("fair_server/cpu*/runtime; do echo 0 > $f; done"));
    let alone = json!({ "kernel.version": "6.6", "kernel.rt_throttle": "950_1000_noshare" });
    assert_eq!(
        lines(&alone)[1],
        "root: echo NO_RT_RUNTIME_SHARE | sudo tee /sys/kernel/debug/sched/features"
    );
}

#[test]
fn a_slice_is_written_as_the_file_holds_it() {
    let slice = json!({
        "machine.cpus": 8, "kernel.version": "6.12", "kernel.base_slice": "3ms",
    });
    let line = "root: echo 12000000 | sudo tee /sys/kernel/debug/sched/base_slice_ns";
    assert!(lines(&slice).contains(&line.to_owned()));
}

#[test]
fn a_bit_for_preempt_rt_alone_is_off_without_it() {
    let bit = |model: &str| {
        let all = lines(&json!({
            "kernel.version": "7.0", "kernel.rt_push_ipi": "rt_only", "kernel.preempt": model,
        }));
        all.last().unwrap().clone()
    };
    let file = "_PUSH_IPI | sudo tee /sys/kernel/debug/sched/features";
    assert_eq!(bit("full"), format!("root: echo NO_RT{file}"));
    assert_eq!(bit("rt"), format!("root: echo RT{file}"));
}

#[test]
fn the_number_of_cpus_is_nr_cpus_and_maxcpus_before_that_word_came() {
    let new = json!({ "kernel.version": "6.12", "machine.cpus": 40 });
    assert_eq!(lines(&new), ["boot: nr_cpus=40"]);
    let old = json!({ "kernel.version": "2.6.24", "machine.cpus": 4 });
    assert_eq!(lines(&old), ["boot: maxcpus=4"]);
}

#[test]
fn a_quiet_core_takes_words_at_boot_and_a_file_for_each_interrupt() {
    let quiet = json!({
        "kernel.version": "6.6", "machine.cpus": 4, "workload.device_irq.cpus": "0-2",
        "workload.rcu.nocbs": "3", "kernel.nohz_full": "3",
    });
    assert_eq!(
        lines(&quiet),
        [
            "boot: nr_cpus=4",
            "boot: irqaffinity=0-2",
            "root: echo 0-2 | sudo tee /proc/irq/N/smp_affinity_list",
            "build: CONFIG_RCU_NOCB_CPU=y",
            "boot: rcu_nocbs=3",
            "build: CONFIG_NO_HZ_FULL=y",
            "boot: nohz_full=3",
        ]
    );
    let old = json!({ "kernel.version": "4.1", "workload.device_irq.cpus": "0-2" });
    assert_eq!(lines(&old), ["root: echo 0-2 | sudo tee /proc/irq/N/smp_affinity_list"]);
    let everywhere = json!({
        "kernel.version": "6.6", "machine.cpus": 4, "workload.device_irq.cpus": "0-3",
        "workload.rcu.nocbs": "none",
    });
    assert_eq!(lines(&everywhere), ["boot: nr_cpus=4"]);
}

#[test]
fn partitions_of_one_cpu_each_are_those_of_isolcpus_as_long_as_it_leaves_a_cpu() {
    let apart = |partitions: &str| lines(&json!({ "machine.partitions": partitions }));
    assert_eq!(apart("3;2"), ["boot: isolcpus=2-3"]);
    for none in ["auto", "0-1;2-3", "0;1;2;3"] {
        assert!(apart(none).is_empty(), "{none}");
        let (_, missing) = of_knobs(&json!({ "machine.partitions": none }));
        let says = missing.iter().any(|words| words.contains("cpuset.cpus.partition root"));
        assert_eq!(says, none != "auto", "{missing:?}");
    }
}

#[test]
fn slice_extensions_are_an_option_of_the_build_their_length_a_file_of_debugfs() {
    let knobs = json!({
        "kernel.version": "7.0", "kernel.rseq_slice_extension": true,
        "kernel.rseq_slice_extension_length": "20us",
    });
    assert_eq!(
        lines(&knobs),
        [
            "build: CONFIG_RSEQ_SLICE_EXTENSION=y",
            "root: echo 20000 | sudo tee /sys/kernel/debug/rseq/slice_ext_nsec",
        ]
    );
}

#[test]
fn each_switch_that_readers_turn_has_a_line() {
    let turned = [
        ("kernel.hz", json!(250), "build: CONFIG_HZ_250=y"),
        ("kernel.tick_skew", json!(true), "boot: skew_tick=1"),
        ("machine.idle", json!("poll"), "boot: idle=poll"),
        (
            "kernel.sched_rr_timeslice_ms",
            json!(30),
            "root: sudo sysctl kernel.sched_rr_timeslice_ms=30",
        ),
        (
            "kernel.cfs_bandwidth_slice_us",
            json!(3_000),
            "root: sudo sysctl kernel.sched_cfs_bandwidth_slice_us=3000",
        ),
        (
            "kernel.llc_balancing",
            json!(false),
            "root: echo 0 | sudo tee /sys/kernel/debug/sched/llc_balancing/enabled",
        ),
        (
            "kernel.cgroup_mode",
            json!("smp"),
            "root: echo smp | sudo tee /sys/kernel/debug/sched/cgroup_mode",
        ),
    ];
    for (path, value, line) in turned {
        assert_eq!(lines(&json!({ path: value })), [line]);
    }
    let early = json!({ "kernel.version": "7.1", "kernel.llc_balancing": true });
    assert!(lines(&early).is_empty());
}
