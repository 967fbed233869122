//! Texts as people hold them who know nothing of what is read here.

use super::containers::{reading, words};
use crate::words::{Fate, Limit};

const COUNTERS: &str =
    "usage_usec 29000000\nnr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\n";

/// Periods, throttled periods, throttled us and CPU time of a text.
fn counted(text: &str) -> (f64, f64, Option<f64>, Option<f64>) {
    let happened = reading(text).chosen.unwrap_or_else(|| panic!("{text}\n{}", words(text)));
    let happened = happened.happened.unwrap_or_else(|| panic!("{text}\n{}", words(text)));
    (happened.periods, happened.throttled, happened.throttled_us, happened.usage_us)
}

const ALL: (f64, f64, Option<f64>, Option<f64>) =
    (600.0, 300.0, Some(60_000_000.0), Some(29_000_000.0));

#[test]
fn a_throttled_time_that_the_text_does_not_have_is_said_to_be_missing_and_is_not_0() {
    let text = "cpu.max 50000 100000\nusage_usec 29000000\nnr_periods 600\nnr_throttled 300\n";
    assert_eq!(counted(text).2, None);
    let said = words(text);
    assert!(said.contains("for how long the text does not say"), "{said}");
    assert!(!said.contains("0 us"), "{said}");
}

#[test]
fn colours_marks_of_lists_tables_and_quotes_do_not_hide_a_counter() {
    let plain = format!("cpu.max 50000 100000\n{COUNTERS}");
    let each = |of: &dyn Fn(&str) -> String| plain.lines().map(of).collect::<Vec<_>>().join("\n");
    for text in [
        each(&|line| format!("\u{1b}[32m{line}\u{1b}[0m\u{1b}[K")),
        each(&|line| format!("- `{line}`")),
        each(&|line| format!("* {}", line.replacen(' ', ": ", 1))),
        each(&|line| format!("| {} |", line.replacen(' ', " | ", 1))),
        each(&|line| format!("> > {}", line.replace(' ', "\u{a0}"))),
        each(&|line| line.replace(' ', "\t") + "\r"),
        plain.replace("29000000", "29,000,000").replace("60000000", "60 000 000"),
        plain.replace("29000000", "29.000.000").replace("60000000", "60_000_000"),
        plain.replace("\nnr_", ", nr_").replace("\nthr", "; thr"),
    ] {
        assert_eq!(counted(&text), ALL, "{text}");
    }
}

#[test]
fn prompts_of_other_shells_begin_commands() {
    for prompt in ["➜  ~ ", "PS C:\\Users\\me> ", "host% ", "❯ ", "me@host:~$ "] {
        let text = format!(
            "{prompt}cat /sys/fs/cgroup/cpu.max\n50000 100000\n{prompt}cat cpu.stat\n{COUNTERS}"
        );
        assert_eq!(counted(&text), ALL, "{text}");
        assert_eq!(reading(&text).lines[0].notes[0].fate, Fate::LeftOut, "{text}");
    }
}

#[test]
fn counters_of_two_containers_are_not_two_readings_of_one() {
    let one = |of: &str, periods: u32, throttled: u32| {
        format!(
            "$ {of} cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.stat\n50000 100000\n\
             nr_periods {periods}\nnr_throttled {throttled}\nthrottled_usec {throttled}00000\n"
        )
    };
    for (first, second) in [
        ("kubectl exec web-a --", "kubectl exec web-b --"),
        ("kubectl exec web -c a --", "kubectl exec web -c b --"),
        ("docker exec a", "docker exec b"),
    ] {
        let text = one(first, 500, 50) + &one(second, 900, 450);
        assert_eq!((counted(&text).0, counted(&text).1), (900.0, 450.0), "{}", words(&text));
    }
    let paths = |of: &str| {
        format!(
            "$ cat /sys/fs/cgroup/{of}/cpu.max\n50000 100000\n$ cat /sys/fs/cgroup/{of}/cpu.stat\n"
        )
    };
    let other = "nr_periods 500\nnr_throttled 5\nthrottled_usec 100000\n";
    let text = format!("{}{other}{}{COUNTERS}", paths("a.slice"), paths("b.slice"));
    assert_eq!(counted(&text), ALL, "{}", words(&text));
}

#[test]
fn a_container_of_a_command_has_the_limit_that_a_manifest_gives_it_and_no_others_remarks() {
    let manifest = "kind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      \
        initContainers:\n      - name: migrate\n        resources: {limits: {cpu: 4}}\n      \
        containers:\n      - name: app\n        resources: {limits: {cpu: 500m}}\n      \
        - name: log\n        resources: {limits: {cpu: 600m}}\n";
    for command in [
        "kubectl exec web-6c9f-x2k -c app -- cat /sys/fs/cgroup/cpu.stat",
        "kubectl exec web-6c9f-x2k -- cat /sys/fs/cgroup/cpu.stat\n\
         Defaulted container \"app\" out of: app, log, migrate (init)",
    ] {
        let text = format!("{manifest}$ {command}\n{COUNTERS}");
        let chosen = reading(&text).chosen.expect("a limit");
        assert_eq!(chosen.limit, Limit::of_quota(50_000));
        let said = words(&text);
        assert!(said.contains("has the limit of the container “app”"), "{said}");
        assert!(!said.contains("migrate"), "{said}");
    }
    let compose = "services:\n  api:\n    cpus: 0.5\n  db:\n    cpus: 2\n";
    let text = format!("{compose}$ docker exec proj-api-1 cat /sys/fs/cgroup/cpu.stat\n{COUNTERS}");
    assert_eq!(reading(&text).chosen.expect("a limit").limit, Limit::of_quota(50_000));
}

#[test]
fn files_of_a_v1_folder_are_one_group_with_its_cpu_time() {
    let files = "cgroup.procs:1\ncpu.cfs_period_us:100000\ncpu.cfs_quota_us:50000\n\
        cpu.rt_runtime_us:0\ncpu.stat:nr_periods 600\ncpu.stat:nr_throttled 300\n\
        cpu.stat:throttled_time 60000000000\ncpuacct.stat:user 12\ncpuacct.usage:29000000000\n";
    let behind = |folder: &str| files.lines().map(|l| format!("{folder}{l}\n")).collect::<String>();
    for folder in ["", "/sys/fs/cgroup/cpu/", "/sys/fs/cgroup/cpu,cpuacct/docker/3f2a/"] {
        let text = behind(folder);
        assert_eq!(counted(&text), ALL, "{text}");
        let lines = reading(&text).lines;
        let is_lost = |note: &crate::words::Note| note.fate == Fate::NotUnderstood;
        assert!(!lines.iter().any(|line| line.notes.iter().any(is_lost)), "{lines:?}");
    }
    let cat = "# cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us /sys/fs/cgroup/cpu/cpu.cfs_period_us \
        /sys/fs/cgroup/cpu/cpu.stat /sys/fs/cgroup/cpuacct/cpuacct.usage\n50000\n100000\n\
        nr_periods 600\nnr_throttled 300\nthrottled_time 60000000000\n29000000000\n";
    assert_eq!(counted(cat), ALL);
}

#[test]
fn a_cpuset_of_the_groups_folder_bounds_what_it_can_use() {
    let text = format!("cpu.max 300000 100000\ncpuset.cpus.effective:0-1\n{COUNTERS}");
    assert!(words(&text).contains("2 CPUs cannot use"), "{}", words(&text));
}

/// A text with 300 throttled of 600 periods between two instants.
fn twice(first: &str, second: &str, more: &str) -> String {
    format!(
        "{more}\ncpu.max 50000 100000\n{first}\nusage_usec 1000000\nnr_periods 3000\n\
         nr_throttled 900\nthrottled_usec 40000000\n{second}\nusage_usec 30000000\n\
         nr_periods 3600\nnr_throttled 1200\nthrottled_usec 100000000\n"
    )
}

#[test]
fn dates_of_readings_say_how_long_it_was() {
    for (first, second) in [
        ("Mon Nov 30 14:00:00 UTC 2026", "Mon Nov 30 14:01:00 UTC 2026"),
        ("2026-11-30T14:00:00Z", "2026-11-30T14:01:00Z"),
        ("23:59:30", "00:00:30"),
        ("$ date +%s\n1796047952", "$ date +%s\n1796048012"),
    ] {
        let text = twice(first, second, "");
        assert!(words(&text).contains("60 s passed between the readings"), "{}", words(&text));
        assert_eq!(counted(&text), ALL);
    }
    let text = twice("$ cat cpu.stat; sleep 60; cat cpu.stat", "", "");
    assert!(words(&text).contains("At least 60 s passed"), "{}", words(&text));
}

#[test]
fn counters_that_the_time_between_the_readings_cannot_hold_are_doubted() {
    let doubt = |first: &str, second: &str, more: &str, said: &str| {
        let reading = reading(&twice(first, second, more));
        assert!(reading.doubts.iter().any(|doubt| doubt.contains(said)), "{:?}", reading.doubts);
        assert_eq!(reading.chosen.and_then(|chosen| chosen.happened), None);
    };
    let noon = "2026-11-30T12:00:00Z";
    doubt(noon, "2026-11-30T12:00:10Z", "", "10 s have only 100 periods");
    doubt(noon, "2026-11-30T11:59:00Z", "", "not later");
    let text = twice(noon, "2026-11-30T12:05:00Z", "");
    assert!(words(&text).contains("Fewer periods were counted"), "{}", words(&text));
}

#[test]
fn json_that_is_cut_short_does_not_swallow_the_counters_below_it() {
    let text = format!(
        "[{{\n\"Name\": \"/web\",\n\"HostConfig\": {{\n\"NanoCpus\": 500000000,\n...\n\
         $ docker exec web cat /sys/fs/cgroup/cpu.stat\n{COUNTERS}"
    );
    assert_eq!(counted(&text), ALL, "{}", words(&text));
}

#[test]
fn an_update_of_a_container_changes_its_limit() {
    let text = "docker run -d --name web --cpus 0.5 nginx\ndocker update --cpus 2 web\n";
    assert_eq!(reading(text).chosen.expect("a limit").limit, Limit::of_quota(200_000));
    assert!(!words(text).contains("left out"), "{}", words(text));
}
