//! Text of ftrace and perf, read as a recording: runs of the model come back, and the forms that
//! kernels and tools print.

use std::collections::BTreeMap;

use schedscope_engine::trace::catalogue::{Kind, NONE};
use schedscope_engine::trace::columns::Columns;
use schedscope_formats::recording::{Left, Recording, Wait, waits};
use schedscope_formats::traces::{Refused, read};

use crate::support::{SCENARIOS, Written, prepared, written};

fn recorded(bytes: &[u8]) -> Recording {
    read(bytes, &mut |_| true).unwrap()
}

fn count(recording: &Recording, kind: Kind) -> usize {
    recording.rows.iter().filter(|row| row.kind == kind).count()
}

/// The lines of a file `trace` as `perf script` prints them.
fn as_perf_script(bytes: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (who, rest) = line.split_once(" [").unwrap();
        let (cpu, rest) = rest.split_once("] ").unwrap();
        let (comm, pid) = who.trim().rsplit_once('-').unwrap();
        let (stamp, event) = rest.split_once(' ').unwrap().1.trim().split_once(": ").unwrap();
        format!("{comm:>16} {pid:>5} [{cpu}] {stamp}:  sched:{event}\n")
    });
    lines.collect::<String>().into_bytes()
}

/// From each wake-up to the switch to the task, us, by task; from the model's own rows.
fn latencies(rows: &Columns) -> BTreeMap<u32, Vec<u64>> {
    let (mut woken, mut all) = (BTreeMap::new(), BTreeMap::<u32, Vec<u64>>::new());
    let mut runs = BTreeMap::new();
    for at in 0..rows.time.len() {
        let (us, cpu, a, b) = ((rows.time[at] + 500) / 1_000, rows.cpu[at], rows.a[at], rows.b[at]);
        match rows.kind[at] {
            kind if kind == Kind::SchedWaking as u8 => _ = woken.entry(a).or_insert(us),
            kind if kind == Kind::WakeupNew as u8 => _ = woken.entry(a).or_insert(us),
            // A task that has not left its CPU goes on.
            kind if kind == Kind::SchedWakeup as u8 && runs.values().any(|task| *task == a) => {
                woken.remove(&a);
            }
            kind if kind == Kind::SchedSwitch as u8 => {
                runs.insert(cpu, b);
                if b != NONE
                    && let Some(from) = woken.remove(&b)
                {
                    all.entry(b).or_default().push(us - from);
                }
            }
            _ => {}
        }
    }
    all
}

#[test]
fn a_run_that_is_written_as_text_comes_back_with_its_events_and_latencies() {
    for (slug, ..) in SCENARIOS {
        let Written { bytes, rows, .. } = written("ftrace", &prepared(slug));
        for (format, bytes) in [("perf", as_perf_script(&bytes)), ("ftrace", bytes)] {
            let recording = recorded(&bytes);
            let what = format!("{slug}, {format}");
            let of_run = |kind: Kind| rows.kind.iter().filter(|is| **is == kind as u8).count();
            for kind in [Kind::SchedSwitch, Kind::SchedWakeup, Kind::MigrateTask] {
                assert_eq!(count(&recording, kind), of_run(kind), "{what}, {kind:?}");
            }
            assert_eq!(recording.coverage.unread, BTreeMap::new(), "{what}");
            let mut found = BTreeMap::<u32, Vec<u64>>::new();
            let missed = waits(&recording, &mut |wait: Wait| {
                let parts: u64 = wait.segments.iter().map(|segment| segment.ns).sum();
                assert_eq!(parts, wait.ns(), "{what}: {wait:?}");
                if wait.is_wakeup {
                    let task = recording.tasks[wait.task as usize].pid - 1_000;
                    found.entry(task).or_default().push(wait.ns() / 1_000);
                }
            });
            assert_eq!(missed.switches, 0, "{what}");
            let differs =
                latencies(&rows).into_iter().find(|(task, of)| found.get(task) != Some(of));
            assert_eq!(differs.map(|(task, of)| (task, of, found.get(&task))), None, "{what}");
        }
    }
}

#[test]
fn every_column_form_of_kernels_and_tools_is_read() {
    const SWITCH: &str = "prev_comm=Web Content prev_pid=10 prev_prio=120 prev_state=R+ ==> \
        next_comm=a-b 7 next_pid=11 next_prio=49";
    let lines = [
        format!("     Web Content-10    [002] d..2. 12.000345: sched_switch: {SWITCH}"),
        format!("     Web Content-10    [002] d..2 12.000345: sched_switch: {SWITCH}"),
        format!("     Web Content-10   (     10) [002] d..2. 12.000345: sched_switch: {SWITCH}"),
        format!("           <...>-10   (-----) [002] dN.2. 12.000345: sched_switch: {SWITCH}"),
        format!("     Web Content-10    [002] 12.000345: sched_switch:  {SWITCH}"),
        format!(
            "     Web Content-10    [002] 12.000345000: sched_switch: [FAILED TO PARSE] {SWITCH}"
        ),
        format!("Web Conte   10  2d..2. 12000345us+: sched_switch: {SWITCH}"),
        format!("     Web Content-10    2d..2. 12000345us : sched_switch: {SWITCH}"),
        "     Web Content-10    [002] 12.000345: sched_switch: Web Content:10 [120] R+ ==> \
         a-b 7:11 [49]"
            .to_owned(),
        format!("Web Content    10 [002]    12.000345:       sched:sched_switch: {SWITCH}"),
        "Web Content    10/10 [002]    12.000345:       sched:sched_switch: Web Content:10 [120] \
         R+ ==> a-b 7:11 [49]"
            .to_owned(),
    ];
    for line in lines {
        let recording = recorded(line.as_bytes());
        let row = recording.rows.iter().find(|row| row.kind == Kind::SchedSwitch).expect(&line);
        assert_eq!((row.ns, row.cpu, row.left), (12_000_345_000, 2, Left::Preempted), "{line}");
        let named: Vec<(u32, &str)> =
            recording.tasks.iter().map(|task| (task.pid, &*task.comm)).collect();
        assert_eq!(named, [(10, "Web Content"), (11, "a-b 7")], "{line}");
        assert_eq!((row.prio, recording.tasks[1].prio.words().as_str()), (49, "real-time 50"));
    }
}

#[test]
fn states_are_read_as_letters_and_as_numbers() {
    let switch = |state: &str| {
        format!(
            " a-1 [000] 1.5: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state={state} \
             ==> next_comm=b next_pid=2 next_prio=120"
        )
    };
    for (state, left) in [
        ("S", Left::Sleeps),
        ("D|W", Left::Uninterruptible),
        ("R", Left::Runnable),
        ("0", Left::Runnable),
        ("1", Left::Sleeps),
        ("2", Left::Uninterruptible),
        ("256", Left::Preempted),
        ("64", Left::Sleeps),
        ("X", Left::Ended),
        ("Z", Left::Ended),
    ] {
        assert_eq!(recorded(switch(state).as_bytes()).rows[0].left, left, "{state}");
    }
}

#[test]
fn lines_that_are_not_understood_are_counted_with_the_place_of_the_first() {
    let text = "# tracer: nop\n\
        CPU:1 [LOST 17 EVENTS]\n \
        a-1 [000] 1.5: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n\
        what is this\n \
        a-1 [000] 1.6: kmalloc: call_site=x ptr=y\n \
        a-1 [000] 1.7: sched_switch: prev_comm=a prev_pid=\n\
        and this\n";
    let coverage = recorded(text.as_bytes()).coverage;
    assert_eq!(coverage.lost, BTreeMap::from([(1, Some(17))]));
    let line = &coverage.unread["line"];
    assert_eq!((line.count, &*line.place, &*line.what), (2, "line 4", "what is this"));
    assert_eq!(coverage.unread["event"].place, "line 6");
    assert_eq!(coverage.others, BTreeMap::from([("kmalloc".to_owned(), 1)]));
}

#[test]
fn a_task_that_leaves_without_having_come_makes_no_latency() {
    let event = |us: u32, what: &str| format!(" x-9 [000] 1.{us:06}: {what}\n");
    let switch = |us, prev: &str, state: &str, next: &str| {
        event(
            us,
            &format!(
                "sched_switch: prev_comm={prev} prev_pid={prev} prev_prio=120 prev_state={state} \
                 ==> next_comm={next} next_pid={next} next_prio=120"
            ),
        )
    };
    let woken = "sched_waking: comm=5 pid=5 prio=120 target_cpu=000";
    let text = switch(1, "7", "S", "8") + &event(2, woken) + &switch(9, "5", "S", "7");
    let mut found = Vec::new();
    let missed = waits(&recorded(text.as_bytes()), &mut |wait| found.push(wait));
    assert_eq!((missed.switches, missed.waits, found.len()), (1, 1, 0));
}

#[test]
fn a_file_that_is_no_recording_is_refused_with_what_it_is() {
    let refused = |bytes: &[u8]| match read(bytes, &mut |_| true) {
        Err(Refused::Form(why) | Refused::NoEvents(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(refused(b"PERFILE2\0\0").contains("perf script"));
    assert!(refused(b"\x1f\x8b\x08").contains("gunzip"));
    assert!(refused(b"").contains("empty"));
    assert!(refused(b"hello").contains("expected: "));
    let other = refused(b" a-1 [000] 1.5: kmalloc: x=1\n");
    assert!(other.contains("kmalloc") && other.contains("sched_switch"), "{other}");
}

#[test]
fn the_kernels_part_of_a_page_of_systrace_is_read() {
    let lines = "# tracer: nop\n a-1 [000] 1.5: sched_waking: comm=b pid=2 prio=120 \
        target_cpu=001\n what is this\n";
    let page = format!(
        "<!DOCTYPE html>\n<html>\n<script class=\"trace-data\">\n{lines}</script>\n<b>more</b>"
    );
    let old = format!("<html>\n<script>var linuxPerfData = \"\\\n{}\";</script>", {
        lines.replace('\n', "\\n\\\n")
    });
    for (page, line) in [(page, "line 6"), (old, "line 5")] {
        let recording = recorded(page.as_bytes());
        assert_eq!(count(&recording, Kind::SchedWaking), 1, "{page}");
        let unread = &recording.coverage.unread["line"];
        assert_eq!((unread.count, &*unread.place), (1, line), "{page}");
    }
}
