//! The real binary: leaves the files that it reads unchanged, and never mixes its messages into the
//! files that it writes.

use std::process::Stdio;

use crate::support::{Folder, command, schedscope, stderr, text};

#[test]
fn no_output_replaces_the_file_of_costs_by_whatever_name_it_goes() {
    const COSTS: &str = "{ \"schedule_ns\": 1200 }";
    let folder = Folder::new();
    let costs = folder.with("costs.jsonl", COSTS);
    let link = folder.path("link.jsonl");
    std::os::unix::fs::symlink(&costs, &link).unwrap();
    for out in [&costs, &link] {
        let over = ["--over", "kernel.hz=100", "--for", "1ms", "--costs", &costs];
        for arguments in [
            [&["sweep", "rt-fifo-preempt", "--out", out][..], &over].concat(),
            vec!["run", "rt-fifo-preempt", "--for", "1ms", "--costs", &costs, "--trace-out", out],
            vec!["run", "rt-fifo-preempt", "--for", "1ms", "--costs", &link, "--trace-out", out],
        ] {
            let output = schedscope(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(
                stderr(&output).contains("is the file of --costs"),
                "{arguments:?}: {}",
                stderr(&output)
            );
            assert_eq!(std::fs::read_to_string(&costs).unwrap(), COSTS, "{arguments:?}");
        }
    }
}

#[test]
fn an_output_that_no_tool_has_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let keep = folder.with("keep.tsv", "what stood here");
    let output = schedscope(&[
        "run",
        "rt-fifo-preempt",
        "--for",
        "1ms",
        "--output",
        "tool",
        "--trace-out",
        &keep,
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--output tool: rt-fifo-preempt stands for no tool"),
        "{}",
        stderr(&output)
    );
    assert_eq!(std::fs::read_to_string(&keep).unwrap(), "what stood here");
}

#[test]
fn a_tool_that_did_not_get_far_says_so_in_its_place() {
    let output = schedscope(&["run", "rt-migrate", "--for", "1us", "--output", "tool"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = text(&output.stdout);
    assert!(
        text.contains("---- rt-migrate-test")
            && text.contains("(the run ended before the tool did)"),
        "{text}"
    );
}

#[test]
fn a_trace_is_not_mixed_with_the_report() {
    let folder = Folder::new();
    let both = folder.with("both.txt", "");
    for to in ["/dev/stdout", "/proc/self/fd/1", both.as_str()] {
        let mut run = command(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", to]);
        if to == both {
            run.stdout(std::fs::File::options().write(true).open(&both).unwrap());
        }
        let output = run.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains("is where the report goes"), "{to}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{to}");
    }
    let lost = command(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", "/dev/null"])
        .stdout(Stdio::null())
        .status();
    assert_eq!(lost.unwrap().code(), Some(0));
}
