//! The real binary: `--live` writes to the running kernel, as a link's `at.` does.

use crate::support::{json, link, schedscope, stderr};

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
    let output = schedscope(&[&["run"][..], &HERD, &["--live", "3ms=kernel.hz=100"]].concat());
    assert!(
        stderr(&output)
            .contains("kernel.hz: the kernel that runs at 3000000 ns does not take \"100\""),
        "{}",
        stderr(&output)
    );
}
