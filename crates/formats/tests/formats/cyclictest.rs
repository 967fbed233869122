//! cyclictest's three outputs, as readers of its text and of its JSON see them.

use schedscope_engine::setup::Program;
use schedscope_scenario::Prepared;
use serde_json::Value;

use crate::support::{Written, prepared, refusal, written};

/// The numbers of a line `T: 0 ( 1000) P:95 I:100 C:...`.
fn numbers(line: &str) -> Vec<u64> {
    let digits = |part: &str| part.parse().ok();
    line.split(|c: char| !c.is_ascii_digit()).filter_map(digits).collect()
}

/// The samples of each thread in whole us, as the engine's own list has them.
fn threads(prepared: &Prepared, written: &Written) -> Vec<Vec<u64>> {
    let tasks = (0..).zip(&prepared.setup.tasks);
    let measuring = tasks.filter(|(_, task)| matches!(task.program, Program::Cyclictest { .. }));
    let of = |task: u32| {
        let own = written.samples.iter().filter(|(each, _)| *each == task);
        own.map(|(_, ns)| ns / 1_000).collect()
    };
    measuring.map(|(task, _)| of(task)).collect()
}

#[test]
fn a_line_of_each_thread_holds_what_the_engine_sampled() {
    let herd = prepared("rt-pull-herd");
    let written = written("cyclictest", &herd);
    let expected = threads(&herd, &written);
    let (first, lines) = written.text().split_once('\n').unwrap();
    assert_eq!(first, "# /dev/cpu_dma_latency set to 0us");
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.len() == expected.len() && lines.len() > 10);
    for (place, (line, us)) in lines.iter().zip(&expected).enumerate() {
        let [number, id, prio, _interval, cycles, min, act, avg, max] = numbers(line)[..] else {
            panic!("{line}")
        };
        assert_eq!((number, id, prio), (place as u64, 1_000 + place as u64, 95), "{line}");
        assert_eq!(cycles, us.len() as u64, "{line}");
        assert_eq!((min, max), (*us.iter().min().unwrap(), *us.iter().max().unwrap()), "{line}");
        assert_eq!((act, avg), (*us.last().unwrap(), us.iter().sum::<u64>() / cycles), "{line}");
    }
    let report = &written.report.metrics.latency["cyclictest"];
    let cycles: u64 = lines.iter().map(|line| numbers(line)[4]).sum();
    let most = lines.iter().map(|line| numbers(line)[8]).max().unwrap();
    assert_eq!((cycles, most), (report.count, report.max_ns / 1_000));
}

#[test]
fn the_histogram_holds_every_sample_and_overflows_nowhere() {
    let herd = prepared("rt-pull-herd");
    let written = written("cyclictest-hist", &herd);
    let expected = threads(&herd, &written);
    let text = written.text();
    assert!(text.starts_with("# /dev/cpu_dma_latency set to 0us\n# Histogram\n000000 "), "{text}");
    assert!(text.ends_with("\n\n") && !text.contains("T:"), "an empty line ends it: {text}");
    let cells = |line: &str| numbers(line.split_once(':').map_or(line, |(_, cells)| cells));
    let rows: Vec<Vec<u64>> =
        text.lines().filter(|line| line.starts_with('0')).map(cells).collect();
    for (place, us) in expected.iter().enumerate() {
        for row in &rows {
            let count = us.iter().filter(|us| **us == row[0]).count() as u64;
            assert_eq!(row[1 + place], count, "{place} {row:?}");
        }
    }
    let total = text.lines().find(|line| line.starts_with("# Total:")).unwrap();
    let most = written.report.metrics.latency["cyclictest"].max_ns / 1_000;
    assert_eq!(cells(total).iter().sum::<u64>(), expected.iter().flatten().count() as u64);
    assert_eq!(rows.last().unwrap()[0], most);
    let overflows = text.lines().find(|line| line.starts_with("# Histogram Overflows:")).unwrap();
    assert!(cells(overflows).iter().all(|count| *count == 0));
}

#[test]
fn the_json_has_the_program_s_keys_and_only_true_values() {
    let herd = prepared("rt-pull-herd");
    let written = written("cyclictest-json", &herd);
    let expected = threads(&herd, &written);
    let file: Value = serde_json::from_slice(&written.bytes).unwrap();
    assert_eq!(file["file_version"], 1);
    assert_eq!(file["resolution_in_ns"], 0);
    assert_eq!(file["num_threads"], expected.len());
    assert_eq!(file["thread"].as_object().unwrap().len(), expected.len());
    for (place, us) in expected.iter().enumerate() {
        let thread = &file["thread"][place.to_string()];
        assert_eq!(thread["cycles"], us.len());
        assert_eq!(thread["min"], *us.iter().min().unwrap());
        assert_eq!(thread["max"], *us.iter().max().unwrap());
        let mean = us.iter().sum::<u64>() as f64 / us.len() as f64;
        assert!((thread["avg"].as_f64().unwrap() - mean).abs() <= 0.005 + 1e-9, "{thread}");
        assert_eq!(thread["cpu"], place);
        let histogram = thread["histogram"].as_object().unwrap();
        let counts: u64 = histogram.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(counts, us.len() as u64);
    }
}

#[test]
fn a_run_that_dash_b_stopped_names_the_thread_and_its_latency() {
    let mut herd = prepared("rt-pull-herd");
    for task in &mut herd.setup.tasks {
        if let Program::Cyclictest { until, .. } = &mut task.program {
            until.break_us = 20;
        }
    }
    let written = written("cyclictest", &herd);
    let first = written.samples.iter().find(|(_, ns)| ns / 1_000 > 20).unwrap();
    let end = format!("# Break thread: {}\n# Break value: {}\n", 1_000 + first.0, first.1 / 1_000);
    assert!(written.text().ends_with(&end), "{}", written.text());
}

#[test]
fn a_scenario_without_cyclictest_is_refused_in_words() {
    for format in ["cyclictest", "cyclictest-hist", "cyclictest-json"] {
        let why = refusal(format, &prepared("hackbench"));
        assert!(why.contains("runs no cyclictest"), "{why}");
    }
}
