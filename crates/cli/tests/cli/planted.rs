//! The real binary: `bisect` names the change that the commit's own words name, in nine of ten
//! questions over wider and narrower spans of releases. `CLAIMS=long` asks all of them.

use std::env;

use serde_json::Value;

use crate::support::{File, json, stdout};

/// A figure, the change that moves it, and releases on either side of it.
struct Planted {
    question: &'static str,
    change: &'static str,
    from: &'static [&'static str],
    to: &'static [&'static str],
}

const PLANTED: &[Planted] = &[
    // Commit 7fd7a9e0caba (5.16): CPUs that stop their tick have an idle one kicked.
    Planted {
        question: "nohz-kick --metric ipi.nohz_kick.sent --seeds 3 --for 100ms",
        change: "kernel.nohz_ilb",
        from: &["5.10", "5.13", "5.15"],
        to: &["5.16", "6.1", "6.3"],
    },
    // Commit 512ac999d275 (4.18): run time expires again.
    Planted {
        question: "quota-stranded --metric groups.fibtest.usage_ns --seeds 3 --for 2s",
        change: "kernel.bandwidth.expiry",
        from: &["4.15", "4.16", "4.17"],
        to: &["4.18", "4.20", "5.1"],
    },
    // Commit de53fd7aedb1 (5.4): it no longer does.
    Planted {
        question: "quota-stranded --metric groups.fibtest.usage_ns --seeds 3 --for 2s",
        change: "kernel.bandwidth.expiry",
        from: &["4.19", "5.0", "5.3"],
        to: &["5.4", "5.8", "5.12"],
    },
    // Commit b6366f048e0c (4.1): the owner of a task pushes it, no herd pulls.
    Planted {
        question: "rt-pull-herd --metric rq_lock.max_waiters --seeds 3 --for 20ms",
        change: "kernel.rt_push_ipi",
        from: &["3.16", "3.19", "4.0"],
        to: &["4.1", "4.4", "4.9"],
    },
    // Commit dd29c017aed6: the push by IPI is off by default again.
    Planted {
        question: "rt-pull-herd --metric rq_lock.max_waiters --seeds 3 --for 20ms",
        change: "kernel.rt_push_ipi",
        from: &["6.12.57", "6.12.77", "6.12.90"],
        to: &["6.12.96", "6.12.110", "6.12.117"],
    },
    // Commit f4c31b07b136: the tick stops only after one tick in idle.
    Planted {
        question: "polling-or-halt --metric sched.ticks --seeds 3 --for 50ms",
        change: "kernel.idle_stop_policy",
        from: &["6.12.57", "6.12.63", "6.12.77"],
        to: &["6.12.78", "6.12.90", "6.12.117"],
    },
    // Commit e1fad12dcb66 (6.18): a task with a lock in the kernel is not stopped for its quota.
    Planted {
        question: "quota-kernel-lock --metric latency.waiter.max_ns --seeds 4",
        change: "kernel.bandwidth.per_task",
        from: &["6.15", "6.16", "6.17"],
        to: &["6.18", "6.18.15", "6.19"],
    },
    // Commit 9213aa4784cf (7.1): slices end by a timer of their own.
    Planted {
        question: "eevdf-slices --metric sched.context_switches --seeds 4",
        change: "kernel.hrtick",
        from: &["6.18.5", "6.19.13", "7.0"],
        to: &["7.1", "7.1.13", "7.2"],
    },
    // Commit 052c3d87c82e (6.17): a slice is protected no longer than the least one asks for.
    Planted {
        question: "eevdf-slices --metric latency.short.max_ns --seeds 4",
        change: "kernel.protection",
        from: &["6.13", "6.15", "6.16"],
        to: &["6.17", "6.17.8", "6.18"],
    },
    // Commit 8ad075c2eb1f (6.3): each CPU unthrottles its own queues.
    Planted {
        question: "quota-unthrottle-storm --metric rq_lock.irq_off_max_ns --seeds 4",
        change: "kernel.bandwidth.csd",
        from: &["5.16", "6.1", "6.2"],
        to: &["6.3", "6.4", "6.6"],
    },
    // Commit 152e11f6df29 (6.12): a task that has had more than its share sleeps on its queue.
    Planted {
        question: "hackbench --metric sched.context_switches --seeds 4 --set machine.cpus=8",
        change: "kernel.delay_dequeue",
        from: &["6.6", "6.8", "6.11"],
        to: &["6.12", "6.12.57", "6.13"],
    },
];

/// Whether the change leads the ranking, by itself or in a pair.
fn is_named(planted: &Planted, from: &str, to: &str) -> bool {
    let words = format!("bisect {} --from {from} --to {to} --json", planted.question);
    let answer = json(&words.split(' ').collect::<Vec<_>>());
    let leads = answer["ranking"][0]["changes"].as_array();
    leads.is_some_and(|changes| changes.contains(&Value::from(planted.change)))
}

#[test]
fn a_known_change_is_named_in_nine_of_ten_questions() {
    let all = env::var("CLAIMS").is_ok_and(|claims| claims == "long");
    let some = if all { PLANTED } else { &PLANTED[..4] };
    let (mut asked, mut missed) = (0, Vec::new());
    for planted in some {
        let spans = planted.from.iter().zip(planted.to.iter().rev());
        for (from, to) in spans.take(if all { 3 } else { 1 }) {
            asked += 1;
            if !is_named(planted, from, to) {
                missed.push(format!("{}: {from} to {to}, {}", planted.question, planted.change));
            }
        }
    }
    assert!(missed.len() * 10 <= asked, "{asked} asked, not named: {missed:#?}");
}

/// Two halves of a machine that share no CPU. On one a fair task is woken from afar beside one that
/// computes: from 7.0 on (commit 7dadeaa6e851) it waits for the tick, which saves switches. On the
/// other a short slice runs among usual ones: from 6.17 on (commit 052c3d87c82e) it costs switches.
/// No draw is in it.
const CANCEL: &str = r#"{ "schema": 1, "title": "Changes that cancel", "seed": 1,
    "duration": "96ms",
    "machine": { "cpus": 3, "costs": { "spread_milli": 0, "timer_late_ns": 0 } },
    "kernel": { "version": "6.16", "hz": 1000 },
    "workload": { "tasks": {
        "poster": { "policy": "SCHED_FIFO", "priority": 20, "cpus": "0", "loop": -1,
            "timer": { "ref": "unique", "period": 894, "mode": "absolute" },
            "sem_post": "asked" },
        "hog": { "cpus": "1", "loop": -1, "run": 1000000 },
        "answer": { "cpus": "1", "loop": -1, "sem_wait": "asked", "run": 2 },
        "short": { "cpus": "2", "slice": 500, "loop": -1, "run": 1000,
            "timer": { "ref": "unique", "period": 7300, "mode": "absolute" } },
        "beside": { "instance": 4, "cpus": "2", "loop": -1, "run": 1000 } } } }"#;

#[test]
fn two_changes_that_cancel_to_nothing_are_named_with_their_effects() {
    let file = File::new("scenario.json", CANCEL);
    let words = format!(
        "bisect {} --from 6.16 --to 7.0 --metric sched.context_switches --seeds 3",
        file.name()
    );
    let words: Vec<&str> = words.split(' ').collect();
    let answer = json(&[&words[..], &["--json"]].concat());
    assert_eq!(answer["figures"]["difference"]["effect"]["mean_thousandths"], 0, "{answer:#}");
    assert_eq!((&answer["differs"], &answer["cancels"]), (&false.into(), &true.into()));
    let ranking = answer["ranking"].as_array().unwrap();
    let clear = ranking.iter().filter(|ranked| ranked["clear"] == true);
    let mut effects: Vec<(&str, i64)> = clear
        .map(|ranked| {
            assert_eq!(ranked["alone"], ranked["without"], "the halves share nothing");
            assert!(ranked["share_thousandths"].is_null(), "{ranked:#}");
            let mean = ranked["effect"]["mean_thousandths"].as_i64().unwrap();
            (ranked["changes"][0].as_str().unwrap(), mean)
        })
        .collect();
    effects.sort_unstable();
    let [("kernel.preempt", lazy), ("kernel.protection", protection)] = effects[..] else {
        panic!("both, and no other one: {effects:?}")
    };
    assert!(lazy < 0 && protection == -lazy, "{effects:?}");
    let text = stdout(&words);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "With every seed the figure is the same in 6.16 and 7.0, but these changes move it, \
        and cancel.";
    assert!(text.contains(said), "{text}");
}
