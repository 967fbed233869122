//! Chrome JSON, as a reader of the Trace Event Format sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use schedscope_engine::run::Report;
use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_engine::trace::columns::Columns;
use serde_json::Value;

use crate::support::{
    LARGE_POOL, SCENARIOS, Written, YIELDING, made, prepared, shipped, stopped, written, written_in,
};

/// A complete event, ns.
#[derive(Clone, Debug)]
struct Slice {
    lane: (u64, u64),
    name: String,
    from: u64,
    to: u64,
    args: Value,
}

/// us with three decimals as ns, exactly.
fn ns(value: &Value) -> u64 {
    let text = value.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, "0"));
    whole.parse::<u64>().unwrap() * 1_000 + format!("{rest:0<3}").parse::<u64>().unwrap()
}

/// A slice's length, which is less than 0.5 ns off, as Perfetto rounds it.
fn length(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1_000.0).round() as u64
}

fn events(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    assert_eq!(file["displayTimeUnit"], "ns");
    file["traceEvents"].as_array().unwrap().clone()
}

fn slices(events: &[Value]) -> Vec<Slice> {
    let complete = events.iter().filter(|event| event["ph"] == "X");
    let slice = |event: &Value| Slice {
        lane: (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap()),
        name: event["name"].as_str().unwrap().to_owned(),
        from: ns(&event["ts"]),
        to: ns(&event["ts"]) + length(&event["dur"]),
        args: event["args"].clone(),
    };
    complete.map(slice).collect()
}

/// Slices of tasks.
fn stays(slices: &[Slice]) -> impl Iterator<Item = &Slice> {
    slices.iter().filter(|slice| slice.lane.0 == 1 && !slice.args["pid"].is_null())
}

struct Ran {
    slug: &'static str,
    events: Vec<Value>,
    slices: Vec<Slice>,
    report: Report,
    rows: Columns,
}

/// All scenarios, each run once.
static RAN: LazyLock<Vec<Ran>> = LazyLock::new(|| {
    let run = |(slug, ..): (&'static str, _, _)| {
        let written = written("chrome", &prepared(slug));
        let events = events(written.text());
        let slices = slices(&events);
        let Written { report, rows, .. } = written;
        Ran { slug, events, slices, report, rows }
    };
    SCENARIOS.map(run).into_iter().collect()
});

#[test]
fn there_is_a_slice_for_each_switch_to_a_task_and_it_lasts_until_the_next_switch() {
    for Ran { slug, slices, rows, report, .. } in RAN.iter() {
        let mut begun: BTreeMap<u64, u64> = BTreeMap::new();
        let mut expected = Vec::new();
        for row in (0..rows.time.len()).filter(|row| rows.kind[*row] == Kind::SchedSwitch as u8) {
            let cpu = u64::from(rows.cpu[row]);
            if rows.a[row] != NONE {
                let from = begun.remove(&cpu).unwrap_or(0);
                expected.push((cpu, from, rows.time[row], u64::from(rows.a[row])));
            }
            if rows.b[row] != NONE {
                begun.insert(cpu, rows.time[row]);
            }
        }
        let left = |slice: &&Slice| !slice.args["prev_state"].is_null();
        let mut read: Vec<_> = stays(slices)
            .filter(left)
            .map(|slice| {
                let task = slice.args["pid"].as_u64().unwrap() - 1_000;
                (slice.lane.1 - 10, slice.from, slice.to, task)
            })
            .collect();
        expected.sort_unstable();
        read.sort_unstable();
        assert!(read == expected, "{slug}: {} {}", read.len(), expected.len());
        assert!(read.len() as u64 <= report.metrics.sched.context_switches, "{slug}");
        assert_eq!(stays(slices).count() - read.len(), begun.len(), "{slug}: run at the end");
    }
}

#[test]
fn a_task_s_slices_last_as_long_as_it_ran() {
    for Ran { slug, slices, report, .. } in RAN.iter() {
        let mut ran: BTreeMap<&str, u64> = BTreeMap::new();
        for slice in stays(slices) {
            *ran.entry(&slice.name).or_default() += slice.to - slice.from;
        }
        for (name, ns) in ran {
            let task = &report.metrics.tasks[name];
            let stays = task.voluntary_switches + task.involuntary_switches + 1;
            let slack = stays * 10_000;
            assert!(ns + slack >= task.run_ns, "{slug} {name}: {ns} {}", task.run_ns);
            // What follows schedule()'s look at the clock is long where it pulls tasks.
            let pulls = report.metrics.rq_lock.pull_remote_acquisitions > 0;
            assert!(pulls || ns <= task.run_ns + slack, "{slug} {name}: {ns} {}", task.run_ns);
        }
    }
}

#[test]
fn slices_of_a_lane_lie_beside_or_inside_each_other_and_outer_ones_come_first() {
    for Ran { slug, slices, .. } in RAN.iter() {
        let mut lanes: BTreeMap<(u64, u64), Vec<&Slice>> = BTreeMap::new();
        slices.iter().for_each(|slice| lanes.entry(slice.lane).or_default().push(slice));
        for slices in lanes.values_mut() {
            // Readers sort so: those that begin together stay in the file's order.
            slices.sort_by_key(|slice| slice.from);
            let mut around: Vec<&Slice> = Vec::new();
            for slice in slices {
                while around.last().is_some_and(|outer| {
                    outer.to <= slice.from && outer.to > outer.from || outer.to < slice.from
                }) {
                    around.pop();
                }
                let fits = around.last().is_none_or(|outer| slice.to <= outer.to);
                assert!(fits, "{slug}: {slice:?} in {around:?}");
                around.push(slice);
            }
        }
    }
}

#[test]
fn in_floating_point_no_slice_ends_with_or_after_what_is_around_it_or_what_follows() {
    for Ran { slug, events, .. } in RAN.iter() {
        let mut lanes: BTreeMap<(u64, u64), Vec<(f64, f64)>> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let lane = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
            let span = (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap());
            lanes.entry(lane).or_default().push(span);
        }
        for slices in lanes.values_mut() {
            // The order in which speedscope reads: by time from the lane's first, longer first.
            slices.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
            let first = slices[0].0;
            let mut around: Vec<f64> = Vec::new();
            for (from, length) in slices.iter().map(|(time, length)| (time - first, *length)) {
                while around.last().is_some_and(|end| *end <= from) {
                    around.pop();
                }
                assert!(length > 0.0, "{slug}: {from}");
                assert!(around.last().is_none_or(|end| from + length < *end), "{slug}: {from}");
                around.push(from + length);
            }
        }
    }
}

#[test]
fn handlers_flags_and_waits_for_locks_are_as_many_as_the_rows_say() {
    for Ran { slug, slices, rows, .. } in RAN.iter() {
        let count = |kind: Kind, pass: &dyn Fn(usize) -> bool| {
            let of = |row: &usize| rows.kind[*row] == kind as u8 && pass(*row);
            (0..rows.time.len()).filter(of).count()
        };
        let read =
            |start: &str| slices.iter().filter(|slice| slice.name.starts_with(start)).count();
        assert_eq!(read("irq "), count(Kind::IrqEntry, &|_| true), "{slug}: irq");
        assert!(read("softirq ") >= count(Kind::SoftirqEntry, &|_| true), "{slug}: softirq");
        assert_eq!(read("waits for "), count(Kind::LockWait, &|_| true), "{slug}: locks");
        assert!(read("need_resched") >= count(Kind::NeedReschedClear, &|_| true), "{slug}: flags");
    }
}

#[test]
fn each_arrow_that_ends_begins_earlier_inside_a_slice_and_ends_at_a_switch() {
    for Ran { slug, events, slices, .. } in RAN.iter() {
        let arrows = |phase: &'static str| events.iter().filter(move |event| event["ph"] == phase);
        let begun: BTreeMap<u64, &Value> =
            arrows("s").map(|event| (event["id"].as_u64().unwrap(), event)).collect();
        let starts: BTreeSet<(u64, u64)> =
            stays(slices).map(|slice| (slice.lane.1, slice.from)).collect();
        assert_eq!(begun.len(), arrows("s").count(), "{slug}: an id is used once");
        for end in arrows("f") {
            let begin = begun[&end["id"].as_u64().unwrap()];
            assert!(ns(&begin["ts"]) <= ns(&end["ts"]), "{slug}: {end}");
            let start = (end["tid"].as_u64().unwrap(), ns(&end["ts"]));
            assert!(starts.contains(&start), "{slug}: {end}");
        }
        assert!(arrows("f").count() > 0, "{slug}");
    }
}

#[test]
fn no_lane_has_the_number_of_a_process_and_each_has_a_name() {
    for Ran { slug, events, slices, .. } in RAN.iter() {
        let named = |what: &str, of: &str| -> BTreeSet<u64> {
            let names = events.iter().filter(|event| event["name"] == what);
            names.map(|event| event[of].as_u64().unwrap()).collect()
        };
        let (processes, lanes) = (named("process_name", "pid"), named("thread_name", "tid"));
        assert!(!processes.contains(&0) && !lanes.contains(&0), "{slug}");
        assert!(processes.is_disjoint(&lanes), "{slug}");
        for slice in slices {
            assert!(processes.contains(&slice.lane.0) && lanes.contains(&slice.lane.1), "{slug}");
        }
    }
}

#[test]
fn throttled_spans_and_pools_are_those_of_the_rows() {
    let ran = written("chrome", &shipped("quota-32-threads", &[("duration", "250ms")]));
    let events = events(ran.text());
    let count = |kind: Kind| ran.rows.kind.iter().filter(|each| **each == kind as u8).count();
    let throttled = slices(&events).iter().filter(|slice| slice.lane.0 == 3).count();
    assert!(throttled > 0 && throttled == count(Kind::BwThrottle));
    let pools = events.iter().filter(|event| event["ph"] == "C").count();
    assert!(pools > 0 && pools == count(Kind::BwPool));
}

#[test]
fn a_window_cuts_slices_at_its_ends() {
    let (from, to) = (10_000_000, 11_000_000);
    let herd = prepared("rt-pull-herd");
    let part = written_in("chrome", &herd, (from, to), u64::MAX);
    let slices = slices(&events(part.text()));
    assert!(slices.iter().all(|slice| from <= slice.from && slice.to <= to));
    let whole = RAN.iter().find(|ran| ran.slug == "rt-pull-herd").unwrap();
    let inside = |slice: &&Slice| slice.to > from && slice.from < to;
    let ran = |slices: &mut dyn Iterator<Item = &Slice>| -> u64 {
        slices.map(|slice| slice.to.min(to) - slice.from.max(from)).sum()
    };
    assert_eq!(
        ran(&mut stays(&slices).filter(inside)),
        ran(&mut stays(&whole.slices).filter(inside))
    );
    assert!(ran(&mut stays(&slices)) > 1_000_000);
}

#[test]
fn a_name_with_quotation_marks_and_line_ends_is_still_json() {
    let mut odd = prepared("rt-pull-herd");
    odd.setup.tasks[0].name = "a\"b\\\n\u{1b}c".to_owned();
    let written = written("chrome", &odd);
    let slices = slices(&events(written.text()));
    assert!(slices.iter().any(|slice| slice.name == "a\"b\\__c"));
}

#[test]
fn slices_of_a_run_that_a_limit_stops_end_there() {
    let written = stopped("chrome", &shipped("quota-tree", &[("duration", "1s")]), 2_000);
    let slices = slices(&events(written.text()));
    let last = slices.iter().map(|slice| slice.to).max();
    assert_eq!(last, Some(written.report.simulated_ns));
}

#[test]
fn a_task_leaves_asleep_as_often_as_the_report_says() {
    let yielding = written("chrome", &made(YIELDING));
    let yielding = ("yielding", slices(&events(yielding.text())), yielding.report);
    let ran = RAN.iter().map(|ran| (ran.slug, ran.slices.clone(), ran.report.clone()));
    for (slug, slices, report) in ran.chain([yielding]) {
        for (name, task) in &report.metrics.tasks {
            let asleep = |slice: &&Slice| slice.name == *name && slice.args["prev_state"] == "S";
            let read = stays(&slices).filter(asleep).count() as u64;
            assert_eq!(read, task.voluntary_switches, "{slug} {name}");
        }
    }
}

/// Time and level of each counter event.
fn levels(written: &Written) -> Vec<(u64, u64)> {
    let events = events(written.text());
    let counters = events.iter().filter(|event| event["ph"] == "C");
    counters.map(|event| (ns(&event["ts"]), event["args"]["ns"].as_u64().unwrap())).collect()
}

#[test]
fn a_window_begins_with_the_level_of_a_pool_that_holds_there() {
    let pinned = shipped("quota-pinned", &[("duration", "300ms")]);
    let whole = levels(&written("chrome", &pinned));
    let (from, to) = (150_500_000, 200_000_000);
    let part = levels(&written_in("chrome", &pinned, (from, to), u64::MAX));
    let before = whole.iter().rfind(|(time, _)| *time < from).unwrap();
    assert_eq!(part[0], (from, before.1), "{part:?}");
}

#[test]
fn a_pool_that_a_row_cannot_hold_has_no_level_and_is_said_to_be_lost() {
    for format in ["chrome", "perfetto"] {
        let written = written(format, &made(LARGE_POOL));
        assert!(written.lost.iter().any(|lost| lost.starts_with("the pool of ")), "{format}");
        if format == "chrome" {
            assert!(levels(&written).iter().all(|(_, ns)| *ns < 4_294_967_294), "{written:?}");
        }
    }
}
