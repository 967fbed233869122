//! The real binary: replaces no file by accident, and texts from files and links cannot steer the
//! terminal.

use std::process::{Command, Stdio};

use crate::support::{Folder, command, link, refused, schedscope, stderr, stdout, text};

const PREEMPT: &str = include_str!("../../../../scenarios/rt-fifo-preempt/scenario.json");

#[test]
fn no_output_replaces_the_scenario_by_whatever_name_it_goes() {
    let folder = Folder::new();
    let own = folder.with("scenario.json", PREEMPT);
    let hard = folder.path("hard.jsonl");
    std::fs::hard_link(&own, &hard).unwrap();
    let lines = folder.with("x.jsonl", PREEMPT);
    let soft = folder.path("soft.jsonl");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&own, &soft).unwrap();
    let dir = folder.name();
    let over = ["--over", "kernel.hz=100", "--for", "1ms"];
    let cases: Vec<Vec<&str>> = vec![
        vec!["run", dir, "--trace-out", &own],
        vec!["run", &own, "--trace-out", &hard],
        vec!["run", dir, "--trace-out", &soft],
        [&["sweep", &lines, "--out", &lines][..], &over].concat(),
        [&["sweep", &own, "--out", &hard][..], &over].concat(),
    ];
    for arguments in
        cases.iter().filter(|arguments| cfg!(unix) || !arguments.contains(&soft.as_str()))
    {
        let output = schedscope(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains("is the scenario's own file"),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(
        [&own, &lines].map(|file| std::fs::read_to_string(file).unwrap()),
        [PREEMPT, PREEMPT]
    );
}

#[test]
fn a_file_is_replaced_when_the_new_one_is_whole_and_stays_when_the_command_fails() {
    let folder = Folder::new();
    let out = folder.with("trace.tsv", "what stood here");
    let failed = schedscope(&[
        "run",
        "rt-fifo-preempt",
        "--for",
        "1ms",
        "--set",
        "machine.cpus=0",
        "--trace-out",
        &out,
    ]);
    assert_eq!(failed.status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "what stood here");
    let done = schedscope(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", &out]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(std::fs::read_to_string(&out).unwrap().starts_with("time_ns\tcpu\tevent\ta\tb\n"));
    assert_eq!(folder.names(), ["trace.tsv"], "nothing is left beside it");
    let rows = folder.path("rows.csv");
    let cut = schedscope(&[
        "sweep",
        "rt-fifo-preempt",
        "--over",
        "kernel.hz=100,250",
        "--max-records",
        "50",
        "--out",
        &rows,
    ]);
    assert_eq!(cut.status.code(), Some(4), "{}", stderr(&cut));
    assert_eq!(
        std::fs::read_to_string(&rows).unwrap().lines().count(),
        3,
        "what there is of a sweep that met its limit is its result"
    );
    assert_eq!(folder.names(), ["rows.csv", "trace.tsv"]);
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_rights_of_any_and_an_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (plain, out, old) =
        (folder.with("plain", ""), folder.path("new.tsv"), folder.with("old.tsv", ""));
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o640)).unwrap();
    for file in [&out, &old, &"/dev/null".to_owned()] {
        let done = schedscope(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", file]);
        assert_eq!(done.status.code(), Some(0), "{file}: {}", stderr(&done));
    }
    let mode = |file: &str| std::fs::metadata(file).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&out), mode(&old)), (mode(&plain), 0o640));
}

#[test]
fn too_many_runs_are_refused_however_they_are_written() {
    let axes: Vec<String> = (0..2_000).map(|n| format!("machine.knob{n}=0..9999")).collect();
    let wide: Vec<String> = [
        "machine.cpus",
        "workload.cyclictest.priority",
        "machine.threads_per_core",
        "machine.smt_speed",
        "seed",
    ]
    .iter()
    .map(|path| format!("{path}=0..9999"))
    .collect();
    let twice: String = std::iter::repeat_n("0..9999", 10_000).collect::<Vec<_>>().join(",");
    for over in [&axes[..], &wide, &[format!("machine.cpus={twice}")]] {
        let mut arguments = vec!["sweep", "rt-pull-herd"];
        over.iter().for_each(|axis| arguments.extend(["--over", axis]));
        let output = schedscope(&arguments);
        // An unknown knob has no ranges, so its name is refused.
        let unknown = over[0].starts_with("machine.knob");
        assert_eq!(output.status.code(), Some(if unknown { 3 } else { 2 }), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(if unknown { "there is no such knob" } else { "runs" }),
            "{}",
            stderr(&output)
        );
    }
}

const NASTY: &str = "\\u001b]0;owned\\u0007\\u009b2J\\u202egpj.exe\\r\\n";

/// Nothing in `bytes` but text, line ends and tabs.
fn is_plain(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap();
    text.chars().all(|c| {
        c == '\n' || c == '\t' || !c.is_control() && !('\u{202a}'..='\u{202e}').contains(&c)
    })
}

#[test]
fn control_characters_of_a_scenario_are_shown_and_never_sent() {
    let folder = Folder::new();
    let from = format!(
        "\"title\": \"{}\"",
        serde_json::from_str::<serde_json::Value>(PREEMPT).unwrap()["title"].as_str().unwrap()
    );
    assert!(PREEMPT.contains(&from));
    let texts = [
        ("key", PREEMPT.replacen('{', &format!("{{ \"{NASTY}\": 1,"), 1), 3),
        (
            "value",
            PREEMPT.replace("\"hz\": 1000", &format!("\"preempt\": \"{NASTY}\", \"hz\": 1000")),
            3,
        ),
        (
            "long",
            PREEMPT.replace(
                "\"hz\": 1000",
                &format!("\"preempt\": \"{}\", \"hz\": 1000", "x".repeat(100_000)),
            ),
            3,
        ),
        ("number", PREEMPT.replace("\"hz\": 1000", &format!("\"hz\": {}", "9".repeat(100_000))), 3),
        ("title", PREEMPT.replace(&from, "\"title\": \"safe \\u202e evil\""), 0),
    ];
    for (name, text, code) in texts {
        let file = folder.with(&format!("{name}.json"), text);
        for more in [&[][..], &["--json"]] {
            let output = schedscope(&[&["run", &file, "--for", "1ms"][..], more].concat());
            assert_eq!(output.status.code(), Some(code), "{name}: {}", stderr(&output));
            assert!(is_plain(&output.stderr) && is_plain(&output.stdout), "{name}");
            assert!(output.stderr.len() < 6_000, "{name}: {} bytes of error", output.stderr.len());
        }
    }
    let told = stderr(&schedscope(&["run", &folder.path("key.json")]));
    assert!(told.contains("\\u{1b}]0;owned\\u{7}\\u{9b}2J\\u{202e}gpj.exe\\r\\n"), "{told}");
}

#[test]
fn many_unknown_keys_of_a_link_are_a_count_and_the_first_ten() {
    let items: String = (0..10_000).map(|n| format!("&x{n}=1")).collect();
    let output = schedscope(&["digest", &link(1, "rt-fifo-preempt", &items), "--for", "1ms"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("this link has a key").count(), 10, "{said}");
    assert!(
        said.contains("this link has 10 000 such keys, of which the first 10 are named"),
        "{said}"
    );
    let nasty = stderr(&schedscope(&[
        "run",
        &link(1, "rt-fifo-preempt", "&k.kernel~1B~5B31m=1&x~1B~5B2J=2"),
    ]));
    assert!(
        is_plain(nasty.as_bytes())
            && nasty.contains("kernel\\u{1b}[31m")
            && nasty.contains("x\\u{1b}[2J"),
        "{nasty}"
    );
}

#[test]
fn a_figure_that_nothing_here_can_have_is_refused_with_the_nearest() {
    let sweep = |metric: &str| {
        schedscope(&[
            "sweep",
            "quota-stranded",
            "--over",
            "kernel.hz=250",
            "--for",
            "20ms",
            "--json",
            "--metric",
            metric,
        ])
    };
    for (metric, near) in [
        ("groups.\"fibtst\".usage_ns", "did you mean: groups.fibtest.usage_ns"),
        ("tasks.slo.1.run_ns", "did you mean: tasks.\"slow.1\".run_ns"),
        ("groups.fibtest.used_ns", "did you mean: groups.fibtest.usage_ns"),
        ("latency.fast.causes_ns.weather", "there is no metric"),
        ("ipi.nohz_kick.lost_kick", "did you mean: ipi.nohz_kick.lost_kicks"),
    ] {
        let output = sweep(metric);
        assert_eq!(output.status.code(), Some(2), "{metric}");
        assert!(stderr(&output).contains(near), "{metric}: {}", stderr(&output));
    }
    for metric in
        ["groups.\"fibtest\".usage_ns", "ipi.nohz_kick.lost_updates", "latency.slow.causes_ns.irq"]
    {
        let output = sweep(metric);
        assert_eq!(output.status.code(), Some(0), "{metric}: {}", stderr(&output));
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(object["points"][0]["metrics"][metric]["median"].is_number(), "{metric}: {object}");
    }
}

/// Starts the command, waits until an unfinished file is there, and sends it Ctrl-C as often.
#[cfg(unix)]
fn interrupted(folder: &Folder, arguments: &[&str], times: usize) -> Option<i32> {
    let mut child = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !folder.names().iter().any(|name| name.ends_with(".part")) {
        assert_eq!(child.try_wait().unwrap(), None, "it runs for long");
        std::thread::yield_now();
    }
    for _ in 0..times {
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .stderr(Stdio::null())
            .status()
            .unwrap();
    }
    child.wait().unwrap().code()
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_no_unfinished_file() {
    let folder = Folder::new();
    let (trace, out) = (folder.path("trace.tsv"), folder.path("rows.csv"));
    let run = [
        "run",
        "rt-pull-herd",
        "--for",
        "7200s",
        "--max-records",
        "18446744073709551615",
        "--trace-out",
        &trace,
    ];
    let sweep = ["sweep", "rt-pull-herd", "--over", "seed=1..5000", "--jobs", "1", "--out", &out];
    // The first only stops the simulation, and the file is put in its place whole; the second, if
    // it still meets the command, ends it: before that with no file, after that with the whole one.
    for (arguments, name) in [(&run[..], "trace.tsv"), (&sweep, "rows.csv")] {
        let code = interrupted(&folder, arguments, 2);
        let whole = vec![name.to_owned()];
        match code {
            Some(130) if folder.names().is_empty() => {}
            Some(130 | 4) => assert_eq!(folder.names(), whole),
            _ => panic!("ended with {code:?}"),
        }
        folder.names().iter().for_each(|name| std::fs::remove_file(folder.path(name)).unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_a_file_that_is_not_there_yet_leads_to_it_afterwards() {
    let folder = Folder::new();
    let (link, end) = (folder.path("out.tsv"), folder.path("end.tsv"));
    std::os::unix::fs::symlink("between.tsv", &link).unwrap();
    std::os::unix::fs::symlink(&end, folder.path("between.tsv")).unwrap();
    stdout(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", &link]);
    assert_eq!(folder.names(), ["between.tsv", "end.tsv", "out.tsv"]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(std::fs::symlink_metadata(&end).unwrap().is_file());
    let ring = folder.path("ring.tsv");
    std::os::unix::fs::symlink("ring.tsv", &ring).unwrap();
    let run = ["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", &ring];
    refused(&run, 2, &["too many symbolic links"]);
}

#[cfg(unix)]
#[test]
fn a_trace_whose_reader_went_away_leaves_the_report_what_it_is() {
    let folder = Folder::new();
    let pipe = folder.path("trace.tsv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = ["run", "rt-pull-herd", "--for", "10ms"];
    let with_trace = [&run[..], &["--trace-out", &pipe]].concat();
    let child = command(&with_trace).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(std::fs::File::open(&pipe).unwrap());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text(&output.stdout), stdout(&run));
}

#[test]
fn a_file_may_have_any_name_that_the_system_takes_and_others_are_refused_by_it() {
    let folder = Folder::new();
    let name = format!("{}.tsv", "x".repeat(250));
    let told =
        |to: &str| schedscope(&["run", "rt-fifo-preempt", "--for", "1ms", "--trace-out", to]);
    let long = told(&folder.path(&name));
    assert_eq!(long.status.code(), Some(0), "{}", stderr(&long));
    assert_eq!(folder.names(), [name]);
    let missing = folder.path("none/trace.tsv");
    let refused = stderr(&told(&missing));
    assert!(refused.starts_with(&format!("error: cannot write {missing}: ")), "{refused}");
    assert!(!refused.contains(".part"), "{refused}");
}
