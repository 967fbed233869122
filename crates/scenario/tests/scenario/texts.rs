//! What is said about each change between releases.

use schedscope_engine::kernel::config::Version;
use schedscope_scenario::versions::{all_rows, between};

/// At most so many words in a sentence.
const WORDS: usize = 25;

#[test]
fn every_change_of_every_row_says_in_one_short_sentence_what_changed() {
    for row in all_rows() {
        for at in 1..row.since.len() {
            let name = format!("{} {}", row.name, row.since[at].release);
            if row.values[at - 1].0 == row.values[at].0 {
                assert!(row.texts[at].is_none(), "{name} is as before");
                continue;
            }
            let text = row.texts[at].expect(&name);
            for sentence in [text.says, text.seen] {
                let words = sentence.split_whitespace().count();
                assert!(words <= WORDS, "{name}: {words} words: {sentence}");
                assert!(sentence.is_empty() || sentence.ends_with('.'), "{name}: {sentence}");
            }
            assert!(!text.says.is_empty(), "{name}");
        }
    }
}

#[test]
fn a_command_takes_only_the_last_change_back_and_has_the_path_of_the_newer_release() {
    let commands = |[one, other]: [&str; 2]| -> Vec<String> {
        let releases = [one, other].map(|text| Version::parse(text).unwrap());
        let differences = between(releases[0], releases[1]);
        let row = differences.iter().find(|row| row.name == "kernel.rt_push_ipi").unwrap();
        row.steps.iter().map(|step| step.back.clone()).collect()
    };
    let [old, new] = ["/sys/kernel/debug/sched_features", "/sys/kernel/debug/sched/features"];
    assert_eq!(commands(["4.0", "5.12"]), [format!("echo NO_RT_PUSH_IPI > {old}")]);
    assert_eq!(commands(["5.13", "4.0"]), [format!("echo NO_RT_PUSH_IPI > {new}")]);
    assert_eq!(commands(["4.0", "7.3"]), [String::new(), format!("echo RT_PUSH_IPI > {new}")]);
    // The older release has the change and the newer one lacks it: there is nothing to take back.
    assert_eq!(commands(["6.12.117", "6.18"]), [""]);
}

#[test]
fn a_change_comes_with_the_stable_release_of_the_branch_and_may_be_lost_in_a_newer_branch() {
    let steps = |one: &str, other: &str| {
        let releases = [one, other].map(|text| Version::parse(text).unwrap());
        let differences = between(releases[0], releases[1]);
        let row = differences.into_iter().find(|row| row.name == "kernel.ni_random").unwrap();
        (row.is_lost, row.steps[0].came.to_string(), row.steps[0].release.to_string())
    };
    let of = |lost: bool, came: &str| (lost, came.to_owned(), "6.19".to_owned());
    assert_eq!(steps("6.12.57", "6.12.117"), of(false, "6.12.65"));
    assert_eq!(steps("6.12.57", "7.2"), of(false, "6.19"));
    assert_eq!(steps("6.12.117", "6.17"), of(true, "6.12.65"));
}
