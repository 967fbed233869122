//! The real binary: the lines for people beside the figures: the headline first, tasks that still
//! wait, which lock, how much slack.

use std::process::Stdio;

use crate::support::{command, json, schedscope, stderr, stdout};

#[test]
fn a_task_that_starves_from_its_first_start_on_is_told_with_age_and_cause() {
    let said = stdout(&["run", "rt-throttling", "--for", "2s"]);
    let row = said.lines().find(|line| line.starts_with("  shell.0 ")).unwrap();
    for word in ["first start", "1.999 s", "100us", "higher_prio", "on CPU 0, behind runaway.0"] {
        assert!(row.contains(word), "\"{word}\" is not in {row}");
    }
    assert!(!said.contains("no wake-up was measured"), "{said}");
    let compared = stdout(&["compare", "rt-throttling", "--for", "2s"]);
    assert!(compared.contains("A (with sharing): still waiting at the end"), "{compared}");
}

#[test]
fn the_greatest_latency_of_a_task_that_never_got_to_run_is_no_figure() {
    let busy = ["softirq-live-lock", "--set", "machine.cpus=96", "--for", "10ms"];
    let cells = |command: &str, more: &[&str], row: &str| -> Vec<String> {
        let said = stdout(&[&[command], &busy[..], more].concat());
        let line = said.lines().find(|line| line.trim_start().starts_with(row));
        line.unwrap_or_else(|| panic!("{said}")).split_whitespace().map(str::to_owned).collect()
    };
    let worst = "latency.cyclictest.max_ns";
    assert_eq!(cells("run", &[], worst), [worst, "-"]);
    assert_eq!(cells("compare", &[], worst)[1], "-");
    assert_eq!(cells("sweep", &["--over", "kernel.hz=1000"], "1000")[1], "-");
}

#[test]
fn a_run_that_ends_on_a_tick_does_not_blame_the_tick_for_a_long_wait() {
    let rows = |scenario: &str| {
        let said = stdout(&["run", scenario]);
        let (_, rest) = said.split_once("still waiting at the end").unwrap();
        rest.split("\n\n").next().unwrap().to_owned()
    };
    let preempted = rows("half-the-throughput");
    assert!(preempted.contains("  same_class  on CPU "), "{preempted}");
    assert!(!preempted.contains("irq"), "{preempted}");
    let woken = rows("nohz-kick");
    assert!(woken.contains("irq_delay, return_to_user just now"), "{woken}");
    assert!(woken.contains("mostly"), "{woken}");
}

#[test]
fn explain_tells_an_unfinished_wait_and_its_parts_make_the_whole() {
    let said = stdout(&["explain", "rt-throttling", "--for", "2s"]);
    assert!(
        said.contains(
            "\n## shell.0: first start, 1 999 900.000 us late and still waiting at the end"
        ),
        "{said}"
    );
    assert!(
        said.contains("Thread latency so far:") && said.contains("1 999 900.000 us  (100.00 %)"),
        "{said}"
    );
    let ended = stdout(&[
        "explain",
        "rt-throttling",
        "--for",
        "2s",
        "--set",
        "kernel.rt_throttle=950_1000_noshare",
        "--task",
        "shell.0",
        "--nth",
        "0",
    ]);
    assert!(ended.contains("\n## shell.0 wake-up 0 was "), "{ended}");
}

#[test]
fn timer_slack_is_shown_apart_and_no_rt_task_has_any() {
    let said = stdout(&["explain", "lazy-or-now", "--task", "fair_timer_user"]);
    let slack = said.lines().find(|line| line.contains("of which timer slack")).unwrap();
    assert!(slack.trim_end().ends_with(" 50.000 us"), "{said}");
    assert!(
        !stdout(&["explain", "lazy-or-now", "--task", "rt_timer_user"]).contains("timer slack")
    );
    assert!(
        stdout(&["run", "lazy-or-now"])
            .contains("irq_delay includes the timer slack of fair tasks, 50 us")
    );
}

#[test]
fn a_spin_names_its_lock() {
    let said = stdout(&["explain", "rt-pull-herd", "--for", "3ms"]);
    assert!(said.contains("of which the lock of rq "), "{said}");
    let chain = [
        "explain",
        "ipi-storm",
        "--seed",
        "8",
        "--worst",
        "1000",
        "--set",
        "kernel.rt_balance=ipi_4_15",
    ];
    let said = stdout(&chain);
    assert!(said.contains("of which rto_lock "), "{said}");
    // The lines of the locks add up to the whole spin.
    let ns = |line: &str| {
        line.rsplit("  ")
            .next()
            .unwrap_or_default()
            .trim_end_matches(" us")
            .replace([' ', '.'], "")
            .parse::<u64>()
    };
    let mut lines = said.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((head, _)) = line.split_once(" us  (").filter(|_| line.contains("rq_lock_spin:"))
        else {
            continue;
        };
        let mut sum = 0;
        while let Some(part) = lines.next_if(|line| line.contains("of which ")) {
            sum += ns(part.trim_end()).unwrap();
        }
        assert_eq!(sum, ns(head).unwrap(), "{line}");
    }
}

#[test]
fn the_headline_stands_first_and_many_kinds_are_kept_short() {
    let short = stdout(&["run", "lazy-or-now"]);
    let lines: Vec<&str> = short.lines().collect();
    assert!(lines[3].starts_with("latency.fair_remote_user.max_ns "), "{short}");
    assert!(
        short.contains(" more kinds: --all\n") && short.contains("other kinds were late: --all\n"),
        "{short}"
    );
    let all = stdout(&["run", "lazy-or-now", "--all"]);
    assert!(!all.contains("--all") && all.lines().count() > 2 * short.lines().count());
    assert!(all.contains("why rt_timer_kernel was late"));
    let compared = stdout(&["compare", "lazy-or-now"]);
    assert!(
        compared.contains("\nheadline ") && compared.contains(" more figures differ: --all\n"),
        "{compared}"
    );
    assert!(compared.find("headline ").unwrap() < compared.find("what else differs ").unwrap());
    assert!(!stdout(&["compare", "lazy-or-now", "--all"]).contains("more figures differ"));
}

#[test]
fn kernbenchs_headline_counts_the_compilers_alone() {
    let said = stdout(&["run", "kernbench-switches", "--for", "300ms"]);
    let figure =
        |line: &str| line.rsplit("  ").next().unwrap().replace(' ', "").parse::<u64>().unwrap();
    let headline = figure(
        said.lines().find(|line| line.starts_with("tasks.cc.*.involuntary_switches")).unwrap(),
    );
    let object = json(&["run", "kernbench-switches", "--for", "300ms", "--json"]);
    let tasks = object["metrics"]["tasks"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.starts_with("cc."));
    let sum: u64 = tasks.map(|(_, task)| task["involuntary_switches"].as_u64().unwrap()).sum();
    assert!(
        sum > 0
            && headline == sum
            && sum < object["metrics"]["sched"]["context_switches"].as_u64().unwrap()
    );
}

#[test]
fn a_wrong_task_is_answered_with_the_nearest_name() {
    let said = schedscope(&["explain", "rt-throttling", "--task", "shel"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(
        stderr(&said).contains("did you mean: shell")
            && stderr(&said).contains("batch, runaway, shell"),
        "{}",
        stderr(&said)
    );
}

#[test]
fn a_histogram_without_cyclictest_is_remarked_on() {
    let said = schedscope(&["run", "hackbench", "--for", "1ms", "--histogram", "10"]);
    assert_eq!(said.status.code(), Some(0));
    assert!(
        stderr(&said).contains("the histogram is left out: the scenario runs no cyclictest"),
        "{}",
        stderr(&said)
    );
}

#[test]
fn a_version_from_a_flag_takes_the_preemption_model_it_lacks_along_and_refuses_it_where_it_was_asked_for()
 {
    let said =
        schedscope(&["run", "kernbench-switches", "--for", "1ms", "--set", "kernel.version=7.0"]);
    assert_eq!(said.status.code(), Some(0));
    let text = stderr(&said);
    assert!(
        text.contains(
            "note: kernel.preempt is lazy: kernel 7.0 has no \"none\", which the scenario states"
        ),
        "{text}"
    );
    let both = schedscope(&[
        "run",
        "kernbench-switches",
        "--set",
        "kernel.version=7.0",
        "--set",
        "kernel.preempt=none",
    ]);
    assert_eq!(both.status.code(), Some(3));
    assert!(
        stderr(&both).contains("kernel.preempt: kernel 7.0 has no \"none\""),
        "{}",
        stderr(&both)
    );
}

#[test]
fn readers_that_went_away_change_no_exit_code() {
    let mut child = command(&["run", "rt-pull-herd", "--max-records", "5000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let mut child = command(&["run", "no-such-scenario"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn one_of_a_thing_is_one_thing() {
    assert!(
        stdout(&["validate", "priority-inheritance"])
            .contains("valid; 1 CPU, 3 tasks, 2 variants\n")
    );
}

#[test]
fn cpu_stat_stands_there_in_the_units_of_both_versions_and_says_which() {
    let said = stdout(&["run", "quota-32-threads"]);
    let file = |head: &str| {
        let mut lines = said.lines().skip_while(|line| !line.starts_with(head));
        let fields: Vec<&str> = lines.next().unwrap_or_else(|| panic!("{head} is not in {said}"))
            [head.len()..]
            .split_whitespace()
            .collect();
        let values: Vec<u64> = lines
            .next()
            .unwrap()
            .split_whitespace()
            .skip(1)
            .map(|value| value.parse().unwrap())
            .collect();
        (fields.iter().map(ToString::to_string).collect::<Vec<_>>(), values)
    };
    let (v2, in_us) = file("cpu.stat (cgroup v2, us)");
    let (v1, in_ns) = file("cpu.stat (cgroup v1, ns)");
    assert_eq!(v2, ["usage_usec", "nr_periods", "nr_throttled", "throttled_usec"]);
    assert_eq!(v1, ["nr_periods", "nr_throttled", "throttled_time"]);
    assert_eq!((in_us[1], in_us[2], in_us[3]), (in_ns[0], in_ns[1], in_ns[2] / 1_000));
    assert!(in_us[0] > 3_900_000 && in_ns[2] > 1_000_000_000, "{said}");
    assert!(
        !stdout(&["run", "rt-throttling", "--for", "100ms"]).contains("cpu.stat"),
        "without a quota there is no such file"
    );
    assert!(!said.contains("cpu.stat.local"), "one group, which waits for itself alone");
    let waited = said.lines().find(|line| line.contains(": nr_throttled ")).unwrap();
    assert!(waited.contains(" periods, throttled ") && waited.contains("cpu.pressure some "));
    let tree = stdout(&["run", "quota-tree"]);
    let local = tree
        .lines()
        .skip_while(|line| !line.starts_with("cpu.stat.local (us)  throttled_usec"))
        .skip(1)
        .take(3);
    let kept: Vec<u64> =
        local.map(|line| line.rsplit(' ').next().unwrap().parse().unwrap()).collect();
    assert!(
        kept.len() == 3 && kept.iter().all(|us| *us > 1_000_000),
        "children wait for their parent: {tree}"
    );
}

#[test]
fn a_run_tells_for_how_long_kicked_cpus_had_been_idle() {
    let said = stdout(&["run", "nohz-kick", "--for", "300ms"]);
    let at = said.lines().position(|line| line.starts_with("kicked CPUs, by idle time")).unwrap();
    let counts: Vec<u64> = said
        .lines()
        .nth(at + 1)
        .unwrap()
        .split_whitespace()
        .skip(1)
        .map(|word| word.parse().unwrap())
        .collect();
    // No task of this workload sleeps for half a millisecond.
    assert!(
        counts.len() == 6 && counts[..3].iter().sum::<u64>() > 50 && counts[4..] == [0, 0],
        "{counts:?}"
    );
    assert!(
        !stdout(&["run", "rt-throttling", "--for", "10ms"]).contains("kicked CPUs"),
        "nobody kicks in it"
    );
}

#[test]
fn a_label_stands_behind_the_name_that_scripts_use() {
    let path = "tool_samples.pool_worker.answer.p99_ns";
    let line = format!("{path} (web answer)");
    for command in [&["run"][..], &["compare"], &["sweep", "--over", "machine.cpus=8"]] {
        let asked = [command, &["cron-burst", "--for", "200ms"]].concat();
        let said = stdout(&asked);
        assert!(said.contains(&line), "{said}");
    }
    let said = stdout(&["run", "cron-burst", "--for", "200ms"]);
    assert!(said.contains("why pool_worker (web worker) was late"), "{said}");
    let report = json(&["run", "cron-burst", "--for", "200ms", "--json"]);
    assert!(report["metrics"]["tool_samples"]["pool_worker.answer"]["p99_ns"].is_u64());
}

#[test]
fn an_ipi_that_was_not_needed_is_counted_for_whatever_reason() {
    let run = ["run", "quota-unthrottle-storm", "--for", "200ms"];
    let told = stdout(&run);
    let metrics = &json(&[&run[..], &["--json"]].concat())["metrics"]["ipi"];
    for vector in ["reschedule", "call_function"] {
        let line = told.lines().find(|line| line.trim_start().starts_with(vector)).unwrap();
        let digits: String = line.chars().rev().take_while(|c| *c != ' ').collect();
        let last: u64 = digits.chars().rev().collect::<String>().parse().unwrap();
        let of = |why: &str| metrics[vector][format!("elided_{why}")].as_u64().unwrap();
        assert_eq!(last, of("polling") + of("list") + of("set"), "{line}");
    }
    assert!(metrics["reschedule"]["elided_set"].as_u64() > Some(0), "{metrics}");
}

#[test]
fn a_report_says_a_total_per_second_and_of_which_cpus_it_speaks() {
    let small = ["rt-pull-herd", "--set", "machine.cpus=16", "--for", "5ms"];
    let report = json(&[&["run", "--json"], &small[..]].concat());
    let lock = |figure: &str| report["metrics"]["rq_lock"][figure].as_u64().unwrap();
    let said = stdout(&[&["run"], &small[..]].concat());
    assert!(said.starts_with("rt-pull-herd: Why do 16 CPUs wait for one lock?\n"), "{said}");
    let row = |start: &str| said.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
    // 200 times 5 ms, in three figures.
    let hundredths = (lock("wait_ns") * 200 + 5_000_000) / 10_000_000;
    let per_second = format!("{}.{:02} s", hundredths / 100, hundredths % 100);
    assert!(row("rq_lock.wait_ns, per second ").ends_with(&per_second), "{said}");
    let waiters = format!(" {} of 16", lock("max_waiters"));
    assert!(row("most CPUs that wait for one lock").ends_with(&waiters), "{said}");
    let longest = lock("irq_off_max_ns");
    let longest = format!(" for up to {}.{:03} us, which is ", longest / 1_000, longest % 1_000);
    assert!(row("cyclictest's latency shows a herd").contains(&longest), "{said}");
}
