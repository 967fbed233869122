//! The real binary: `bisect` finds the change that is known to have done it, and refuses what it
//! cannot answer.

use serde_json::Value;

use crate::support::{File, json, refused, stdout};

/// The answer of a bisection of `scenario`, in words split at spaces.
fn answer(words: &str) -> Value {
    let words: Vec<&str> = words.split(' ').collect();
    json(&[&["bisect"], &words[..], &["--json"]].concat())
}

/// The changes of the first entry of an answer.
fn first(answer: &Value) -> &Value {
    assert_eq!(answer["schema"], "schedscope.bisect/1");
    assert_eq!((&answer["complete"], &answer["differs"]), (&true.into(), &true.into()));
    assert_eq!(answer["ranking"][0]["clear"], true, "{answer:#}");
    &answer["ranking"][0]["changes"]
}

/// The commits of a change's steps.
fn sources(answer: &Value, name: &str) -> String {
    let changes = answer["changes"].as_array().unwrap();
    let change = changes.iter().find(|change| change["name"] == name).unwrap();
    change["steps"].to_string()
}

#[test]
fn half_the_quota_is_lost_by_the_commit_that_made_run_time_expire_again() {
    let lost = answer(
        "quota-stranded --from 4.17 --to 4.18 --metric groups.fibtest.usage_ns --seeds 3 --for 2s",
    );
    assert_eq!(*first(&lost), Value::from(vec!["kernel.bandwidth.expiry"]));
    assert!(sources(&lost, "kernel.bandwidth.expiry").contains("512ac999d275"));
    assert!(lost["ranking"][0]["effect"]["high_thousandths"].as_i64().unwrap() < 0);
    let given_back = answer(
        "quota-stranded --from 5.3 --to 5.4 --metric groups.fibtest.usage_ns --seeds 3 --for 2s",
    );
    assert_eq!(*first(&given_back), Value::from(vec!["kernel.bandwidth.expiry"]));
    assert!(sources(&given_back, "kernel.bandwidth.expiry").contains("de53fd7aedb1"));
    assert!(given_back["ranking"][0]["effect"]["low_thousandths"].as_i64().unwrap() > 0);
}

#[test]
fn a_short_slice_waits_less_by_the_commit_that_protects_the_least_slice() {
    let slices = "--from 6.16 --to 6.17 --metric latency.short.max_ns --seeds 3 \
        --set machine.costs.spread_milli=0 --set machine.costs.timer_late_ns=0";
    let slices = answer(&format!("eevdf-slices {slices}"));
    assert_eq!(*first(&slices), Value::from(vec!["kernel.protection"]));
    assert!(sources(&slices, "kernel.protection").contains("052c3d87c82e"));
    let whole = &slices["figures"]["difference"]["effect"]["mean_thousandths"];
    assert_eq!(slices["ranking"][0]["alone"]["mean_thousandths"], *whole);
    assert_eq!(slices["unexplained"]["mean_thousandths"], 0);
    assert_eq!(slices["one_schedule"], Value::from(vec![true, true]), "no draw is in it");
}

#[test]
fn idle_cpus_tick_more_by_the_commit_that_waits_for_one_idle_tick() {
    let words = "--from 6.12.77 --to 6.12.78 --metric sched.ticks --seeds 3 --for 50ms";
    let ticks = answer(&format!("polling-or-halt {words}"));
    assert_eq!(*first(&ticks), Value::from(vec!["kernel.idle_stop_policy"]));
    assert!(sources(&ticks, "kernel.idle_stop_policy").contains("f4c31b07b136"));
}

#[test]
fn a_herd_comes_back_by_the_commit_that_turned_rt_push_ipi_off() {
    let words = "--from 6.12.90 --to 6.12.96 --metric rq_lock.max_waiters --seeds 3 --for 20ms";
    let herd = answer(&format!("rt-pull-herd {words}"));
    assert_eq!(*first(&herd), Value::from(vec!["kernel.rt_push_ipi"]));
    assert!(sources(&herd, "kernel.rt_push_ipi").contains("dd29c017aed6"));
    // `put into` and `left out of` are opened by these commands.
    let entry = &herd["ranking"][0];
    assert_eq!(entry["to_without_it"]["set"]["kernel.rt_push_ipi"], "on");
    assert_eq!(
        entry["from_with_it"]["compare"],
        "schedscope compare rt-pull-herd --set duration=20ms --a kernel.version=6.12.90 --b \
         kernel.version=6.12.90 --b kernel.rt_push_ipi=off"
    );
}

#[test]
fn a_herd_went_by_two_changes_that_need_each_other() {
    let words = "--from 4.0 --to 4.1 --metric rq_lock.max_waiters --seeds 3 --for 20ms";
    let herd = answer(&format!("rt-pull-herd {words}"));
    assert_eq!(*first(&herd), Value::from(vec!["kernel.rt_balance", "kernel.rt_push_ipi"]));
    assert_eq!(herd["pairs_tried"], 1);
    assert_eq!(herd["ranking"][0]["share_thousandths"], 1_000);
}

#[test]
fn an_answer_for_people_has_the_change_its_remedy_and_the_commands_to_look_at_it() {
    let words = "--from 6.12.90 --to 6.12.96 --metric rq_lock.max_waiters --seeds 3 --for 20ms";
    let arguments: Vec<&str> =
        ["bisect", "rt-pull-herd"].into_iter().chain(words.split(' ')).collect();
    let text = stdout(&arguments);
    for part in [
        "6.12.90 to 6.12.96, rq_lock.max_waiters",
        "1. kernel.rt_push_ipi",
        "Not explained: +0\n",
        "Take it back: echo RT_PUSH_IPI > /sys/kernel/debug/sched/features",
        "6.12.96 without it: --set kernel.rt_push_ipi=on",
        "--a kernel.version=6.12.96 --a kernel.rt_push_ipi=on --b kernel.version=6.12.96\n",
        "The model lacks 1 change: `schedscope versions 6.12.90 6.12.96` lists them.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_figure_that_does_not_differ_is_asked_of_each_change_while_the_schedules_differ() {
    let words = "--from 6.16 --to 6.17 --metric latency.short.p90_ns --seeds 3 \
        --set machine.costs.spread_milli=0 --set machine.costs.timer_late_ns=0";
    let same = answer(&format!("eevdf-slices {words}"));
    assert_eq!((&same["differs"], &same["same_schedule"]), (&false.into(), &false.into()));
    assert_eq!((&same["cancels"], &same["ranking"]), (&false.into(), &Value::Array(Vec::new())));
    assert!(same["runs"].as_u64().unwrap() > 6, "more than both releases: {same:#}");
    assert_eq!(same["figure_unchanged"], Value::from(vec!["kernel.protection"]));
    let arguments: Vec<&str> =
        ["bisect", "eevdf-slices"].into_iter().chain(words.split(' ')).collect();
    let text = stdout(&arguments);
    let words: Vec<&str> = text.split_whitespace().collect();
    let said = "the figure is the same in 6.16 and 6.17, and no change alone moves it clearly.";
    assert!(words.join(" ").contains(said), "{text}");
}

#[test]
fn a_value_that_is_stated_stays_on_both_sides_and_is_named() {
    let stated = answer(
        "rt-pull-herd --from 6.12.90 --to 6.12.96 --metric rq_lock.max_waiters --seeds 3 --for \
         20ms --set kernel.rt_push_ipi=off",
    );
    assert_eq!(stated["stated"], Value::from(vec!["kernel.rt_push_ipi"]));
    assert_eq!(stated["same_schedule"], true);
}

#[test]
fn the_same_answer_comes_however_many_runs_go_on_at_once() {
    let words = "rt-pull-herd --from 4.0 --to 4.1 --metric rq_lock.wait_ns --seeds 3 --for 5ms";
    assert_eq!(answer(&format!("{words} --jobs 1")), answer(&format!("{words} --jobs 3")));
}

/// The answers to a question without the runs that are not needed, and with all runs. What they say
/// of the runs not needed is checked here and taken out; `values` are changes of rows with values
/// that are never asked for.
fn with_and_without_every_run(words: &str, values: &[&str]) -> [Value; 2] {
    let [mut needed, mut every] = ["", " --every-run"].map(|all| answer(&format!("{words}{all}")));
    let take = |answer: &mut Value, key: &str| answer.as_object_mut().unwrap().remove(key).unwrap();
    assert_eq!(take(&mut every, "runs_not_needed"), 0);
    assert_eq!(take(&mut every, "runs_resumed"), 0);
    assert_eq!(take(&mut every, "never_asked"), Value::Array(Vec::new()));
    let (runs, spared) = (&needed["runs"], &needed["runs_not_needed"]);
    assert!(spared.as_u64() > Some(0) && spared.as_u64() < runs.as_u64(), "{spared} of {runs}");
    take(&mut needed, "runs_not_needed");
    take(&mut needed, "runs_resumed");
    let never = take(&mut needed, "never_asked");
    let never = never.as_array().unwrap();
    let without = needed["no_effect"].as_array().unwrap();
    assert!(!never.is_empty() && never.iter().all(|name| without.contains(name)), "{never:?}");
    assert!(values.iter().all(|name| never.contains(&Value::from(*name))), "{words}: {never:?}");
    [needed, every]
}

#[test]
fn a_change_that_a_release_never_asks_for_needs_no_run_and_the_answer_is_the_same() {
    for (words, values) in [
        (
            "eevdf-slices --from 6.6 --to 6.12 --metric latency.short.max_ns --seeds 3 \
             --max-seeds 6 --for 200ms",
            &["kernel.overload_def"][..],
        ),
        (
            "eevdf-slices --from 6.18 --to 7.2 --metric sched.context_switches --seeds 3 --for \
             50ms --live 20ms=kernel.run_to_parity=false",
            &[],
        ),
        (
            "quota-stranded --from 4.17 --to 5.4 --metric groups.fibtest.usage_ns --seeds 3 --for \
             1s",
            &["kernel.bandwidth.slack_subtract"],
        ),
        (
            "rt-migrate --from 3.18 --to 6.12 --metric sched.context_switches --seeds 3 \
             --max-seeds 3 --for 5ms",
            &["kernel.push_running", "kernel.bandwidth.csd"],
        ),
    ] {
        let [needed, every] = with_and_without_every_run(words, values);
        assert_eq!(needed, every, "{words}");
    }
}

#[test]
fn an_answer_for_people_names_the_changes_that_are_never_asked_for() {
    let words = "--from 6.6 --to 6.12 --metric latency.short.max_ns --seeds 3 --max-seeds 3";
    let arguments: Vec<&str> =
        ["bisect", "eevdf-slices"].into_iter().chain(words.split(' ')).collect();
    let text = |more: &[&str]| {
        let text = stdout(&[&arguments[..], more].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (needed, every) = (text(&[]), text(&["--every-run"]));
    let never = "by these runs, with any of 3 seeds: kernel.overload_def, kernel.rules.";
    assert!(needed.contains(never), "{needed}");
    assert!(needed.contains("not needed: the release's own run never asks for"), "{needed}");
    assert!(every.ends_with("runs in all.") && !every.contains("Never asked"), "{every}");
}

#[test]
fn what_cannot_be_answered_is_refused_with_what_was_expected() {
    let bisect = |words: &str| -> Vec<String> {
        ["bisect"].into_iter().chain(words.split(' ')).map(str::to_owned).collect()
    };
    let is_refused = |words: &str, code: i32, parts: &[&str]| {
        let words = bisect(words);
        refused(&words.iter().map(String::as_str).collect::<Vec<_>>(), code, parts);
    };
    let metric = "--metric rq_lock.max_waiters";
    let releases = "--from 6.6 --to 6.12";
    is_refused(&format!("rt-pull-herd --from 6.20 --to 7.0 {metric}"), 2, &["6.19"]);
    is_refused(
        &format!("rt-pull-herd --from 6.6 --to 6.6.0 {metric}"),
        2,
        &["both releases are 6.6: nothing differs"],
    );
    is_refused(
        &format!("rt-pull-herd {releases} --metric rq_lock.max_waiter"),
        2,
        &["no metric", "did you mean: rq_lock.max_waiters"],
    );
    is_refused(
        &format!("rt-pull-herd {releases} --metric latency.cyclicteste.max_ns"),
        2,
        &["no task, kind or group", "did you mean: latency.cyclictest.max_ns"],
    );
    is_refused(
        &format!("rt-pull-herd {releases} {metric} --set kernel.version=6.9"),
        2,
        &["kernel.version is set", "--from and --to"],
    );
    is_refused(&format!("rt-pull-herd {releases} {metric} --seeds 2"), 2, &["from 3 to 256"]);
    is_refused(
        &format!("rt-pull-herd {releases} {metric} --max-seeds 4"),
        2,
        &["at most 4 seeds are less than the 8 to begin with"],
    );
    is_refused(
        &format!("rt-pull-herd {releases} {metric} --variant pul"),
        2,
        &["did you mean: pull"],
    );
    is_refused(
        "rt-pull-herd --from 6.6 --to 6.12",
        2,
        &["--metric", "for example: schedscope bisect"],
    );
    let none = File::new("scenario.json", "{}");
    is_refused(&format!("{} {releases} {metric}", none.name()), 3, &["error: "]);
}

#[test]
fn a_question_that_goes_back_in_time_has_the_opposite_answer() {
    let there = "--from 6.12.90 --to 6.12.96 --metric rq_lock.max_waiters --seeds 3 --for 10ms";
    let back = "--from 6.12.96 --to 6.12.90 --metric rq_lock.max_waiters --seeds 3 --for 10ms";
    let [there, back] = [there, back].map(|words| answer(&format!("rt-pull-herd {words}")));
    assert_eq!(first(&there), first(&back));
    let mean = |answer: &Value| answer["ranking"][0]["effect"]["mean_thousandths"].as_i64();
    assert_eq!(mean(&there), mean(&back).map(|mean| -mean));
}
