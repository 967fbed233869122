//! The real binary: `--live` writes to the running kernel, as a link's `at.` does.

use crate::support::{json, link, refused, schedscope, stderr};

const HERD: [&str; 4] = ["rt-pull-herd", "--set", "machine.cpus=16", "--for=10ms"];

fn digest(flags: &[&str]) -> String {
    let report = json(&[&["run"][..], &HERD, flags, &["--json"]].concat());
    report["digest"].as_str().expect("a digest").to_owned()
}

#[test]
fn a_change_in_mid_run_makes_another_run_and_the_same_one_each_time() {
    let plain = digest(&[]);
    let changes: [&[&str]; 4] = [
        &["--live", "3ms=kernel.rt_push_ipi=on"],
        &["--live", "3ms=tasks.\"rt_noise.0\".cpus=3"],
        &["--live", "3ms=tasks.\"cyclictest.3\".policy=SCHED_FIFO 20"],
        &[
            "--live",
            "3ms=tasks.\"rt_noise.0\".cpus=3",
            "--live",
            "4ms=tasks.\"rt_noise.0\".cpus=0-15",
        ],
    ];
    let digests: std::collections::BTreeSet<String> =
        changes.iter().map(|flags| digest(flags)).chain([plain]).collect();
    assert_eq!(digests.len(), 5, "each is another run");
    assert_eq!(digest(changes[3]), digest(changes[3]));
    let reordered = [
        "--live",
        "4ms=tasks.\"rt_noise.0\".cpus=0-15",
        "--live",
        "3ms=tasks.\"rt_noise.0\".cpus=3",
    ];
    assert_eq!(digest(changes[3]), digest(&reordered), "they come in order of time");
}

#[test]
fn compare_makes_the_changes_of_a_link_on_the_sides_they_are_for() {
    const SIDES: &str = "&k.machine.cpus=16&k.duration=10ms";
    let told = |changes: &str, flags: &[&str]| {
        let compared = json(
            &[
                &["compare", &link(3, "rt-pull-herd", &format!("{SIDES}{changes}")), "--json"][..],
                flags,
            ]
            .concat(),
        );
        ["a", "b"]
            .map(|side| compared[side]["report"]["digest"].as_str().expect("a digest").to_owned())
    };
    let plain = told("", &[]);
    let both = told("&at.k.3ms.tasks.~22rt_noise.0~22.cpus=3", &[]);
    let one = told("&at.b.3ms.tasks.~22rt_noise.0~22.cpus=3", &[]);
    assert!(both[0] != plain[0] && both[1] != plain[1]);
    assert_eq!(one, [plain[0].clone(), both[1].clone()]);
    assert_eq!(
        told("", &["--live", "3ms=tasks.\"rt_noise.0\".cpus=3"]),
        both,
        "the flag is for both"
    );
}

#[test]
fn what_the_kernel_does_not_take_ends_the_command_with_3_and_what_is_no_change_with_2() {
    for (change, code) in [
        ("3ms=kernel.hz=100", 3),
        ("3ms=tasks.\"rt_noise.0\".cpus=99", 3),
        ("3ms=tasks.\"rt_noise.0\".wake=signal", 3),
        ("3ms=tasks.\"nobody\".cpus=0", 3),
        ("soon=kernel.rt_push_ipi=on", 2),
        ("3ms=kernel.rt_push_ipi", 2),
        ("3ms==on", 2),
    ] {
        let output = schedscope(&[&["run"][..], &HERD, &["--live", change]].concat());
        assert_eq!(output.status.code(), Some(code), "{change}: {}", stderr(&output));
    }
}

/// The notes of `run` about a write at 3 ms.
fn said_of(change: &str, words: &[&str]) {
    let change = format!("3ms={change}");
    refused(&[&["run"][..], &HERD, &["--live", &change]].concat(), 3, words);
}

#[test]
fn what_is_wrong_with_a_change_is_said_with_who_asks_when_and_what_would_be_right() {
    said_of("kernel.nosuch=1", &["error: --live at 3ms: kernel.nosuch: there is no such knob"]);
    said_of("kernel.rt_push_ip=on", &["did you mean: kernel.rt_push_ipi"]);
    said_of(
        "kernel.hz=100",
        &[
            "kernel.hz: this model does not change it while a kernel runs",
            "a change restarts the run",
        ],
    );
    said_of("machine.cpus=3", &["a change restarts the run", "--set machine.cpus for the whole"]);
    said_of("kernel.rt_push_ipi=banana", &["there is no \"banana\"", "expected: \"off\", \"on\""]);
    said_of("kernel.sched_rt_period_us=0", &["0 is out of range", "from 1 to 2147483647"]);
    said_of("tasks.\"rt_nois.0\".cpus=0", &["no task \"rt_nois.0\"", "tasks.\"rt_noise.0\".cpus"]);
    said_of("tasks.\"rt_noise.0\".cpu=0", &["\"cpu\" of a task", "cpus, policy or wake"]);
    said_of("tasks.\"rt_noise.0\".cpus=a", &["\"a\" is no list of CPUs", "such as \"0-3,8\""]);
    said_of("tasks.\"rt_noise.0\".cpus=99", &["none of the CPUs 99", "expected: CPUs of 0-15"]);
    said_of("tasks.\"rt_noise.0\".policy=FIFO", &["\"FIFO\" is no policy", "SCHED_FIFO 50"]);
    said_of("tasks.\"rt_noise.0\".wake=signal", &["no signal ends a sleep of rt_noise.0"]);
    said_of("tasks.\"migration.0\".cpus=1", &["migration.0 is a thread of a CPU's own"]);
    said_of("cgroups.web.cpu_max=max", &["the run has no control group \"web\""]);
    let tree = |change: &str, words: &[&str]| {
        refused(&["run", "quota-tree", "--live", &format!("5us={change}")], 3, words);
    };
    tree("cgroups.web.cpu_max=max", &["no control group \"web\"", "cgroups.shop/web.cpu_max"]);
    tree("cgroups.shop.cpu_max=soon", &["\"soon\" is no cpu.max", "such as \"10000 100000\""]);
    tree(
        "cgroups.shop.cpu_weight=0",
        &["cgroups.shop.cpu_weight: 0 is out of range", "1 to 10000"],
    );
    tree("cgroups.shop.period_phase=1us", &["cannot be written in mid-run", "cpu_max_burst"]);
}

#[test]
fn a_change_is_checked_before_the_run_and_one_of_a_link_is_told_as_the_links() {
    // Two hours would not end within the test.
    const LONG: [&str; 2] = ["--for", "7200s"];
    let late = ["--live", "7199s=kernel.nosuch=1"];
    refused(&[&["run", "rt-pull-herd"][..], &LONG, &late].concat(), 3, &["--live at 7199s: "]);
    let over = ["sweep", "rt-pull-herd", "--over", "machine.cpus=16,4"];
    let high = ["--live", "7199s=tasks.\"rt_noise.0\".cpus=5"];
    let words = ["--live at 7199s with machine.cpus=4: ", "expected: CPUs of 0-3"];
    refused(&[&over[..], &LONG, &high].concat(), 3, &words);
    let link = link(3, "rt-pull-herd", "&at.b.5us.tasks.~22a~0Aerror~22.cpus=evil~0Afake");
    for command in ["compare", "validate"] {
        let output = schedscope(&[command, &link]);
        assert_eq!(output.status.code(), Some(3));
        let said = stderr(&output);
        assert!(said.contains("error: the link at 5us: tasks.\"a\\nerror\".cpus: "), "{said}");
    }
}

#[test]
fn a_change_that_is_refused_only_when_its_instant_comes_says_why() {
    let rt = ["--set", "kernel.version=4.15", "--live", "2ms=kernel.sched_rt_runtime_us=2000000"];
    let words =
        ["error: --live at 2ms: kernel.sched_rt_runtime_us: \"2000000\" is refused at 2ms: \
        the runtime would be longer than the period"];
    refused(&[&["run"][..], &HERD, &rt].concat(), 3, &words);
}

#[test]
fn a_change_that_comes_after_the_end_is_told() {
    let late = ["--live", "99s=kernel.rt_push_ipi=on"];
    for command in ["run", "digest", "explain"] {
        let output = schedscope(&[&[command][..], &HERD, &late].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(
                "note: --live writes kernel.rt_push_ipi at 99s, but the run ends at 10ms: the \
                    write is not made\n"
            ),
            "{command}: {}",
            stderr(&output)
        );
    }
    let never = [&["run"][..], &HERD, &["--live", "99s=kernel.nosuch=1"]].concat();
    refused(&never, 3, &["there is no such knob"]);
}

#[test]
fn a_time_of_a_change_that_is_none_says_what_one_would_be() {
    for time in ["-1ms", "1h", "1.5.5ms", "99999999999999999999ms", ""] {
        let change = format!("{time}=kernel.rt_push_ipi=on");
        let words = ["expected a time from 0ns on with its unit (ns, us, ms, s)", "--live <TIME"];
        refused(&[&["run"][..], &HERD, &["--live", &change]].concat(), 2, &words);
    }
}
