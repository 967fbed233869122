//! The real binary: what a release has, and what changed between two.

use crate::support::{json, refused, schedscope, stderr, stdout, text};

#[test]
fn two_releases_are_compared_older_first_whichever_comes_first() {
    let text = stdout(&["versions", "6.8", "6.12.57"]);
    assert!(text.starts_with("6.8 to 6.12.57: "), "{text}");
    assert_eq!(stdout(&["versions", "6.12.57", "6.8"]), text);
    assert_eq!(stdout(&["versions", "6.12.57+deb13-amd64", "6.8.0-45-generic"]), text);
    let parts = ["\nReal time\n", "\nFair class\n", "\nLoad balancing and ticks\n"];
    let places: Vec<usize> = parts.iter().map(|part| text.find(part).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");
    for line in text.lines().filter(|line| !line.contains("Take it back: ")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn a_change_is_said_with_what_one_sees_the_command_and_the_source() {
    let text = stdout(&["versions", "6.12.57", "7.2.13"]);
    let start = text.find("  7.2       RT_PUSH_IPI is off by default").unwrap();
    let change = text[start..].split("\n\n").next().unwrap();
    for part in [
        "You see: ",
        "Take it back: echo RT_PUSH_IPI > /sys/kernel/debug/sched/features",
        "[kernel.rt_push_ipi: on -> rt_only]",
        "dd29c017aed6",
    ] {
        assert!(change.contains(part), "{part}: {change}");
    }
    assert!(text.contains("[not modelled: NI_RATE]"), "{text}");
}

#[test]
fn a_change_that_only_the_older_release_took_in_is_said_to_be_missing_in_the_newer() {
    let text = stdout(&["versions", "6.12.117", "6.18"]);
    assert!(text.contains("  6.12.96   In 6.12.117, not in 6.18: RT_PUSH_IPI is off"), "{text}");
}

#[test]
fn values_that_were_not_read_are_counted_at_the_top() {
    let text = stdout(&["versions", "4.14.336", "5.4"]);
    let head: String = text.lines().take(3).collect();
    assert!(head.contains(" values of 4.14.336 are taken from 4.14: the source of 4.14.336 was"));
    assert!(!stdout(&["versions", "6.12.57", "7.2.13"]).contains("was not read"));
}

#[test]
fn a_comparison_as_json_has_parts_values_and_texts() {
    let all = json(&["versions", "4.14.336", "5.4", "--json"]);
    let differences = all["differences"].as_array().unwrap();
    let expiry = |each: &&serde_json::Value| each["name"] == "kernel.bandwidth.slack_subtract";
    assert_eq!(differences.iter().filter(expiry).count(), 0, "4.14.154 took the change in");
    let tick =
        differences.iter().find(|each| each["name"] == "kernel.rules.ticks_remotely").unwrap();
    assert_eq!(
        (&tick["part"], &tick["modelled"], &tick["steps"][0]["release"]),
        (&"Load balancing and ticks".into(), &true.into(), &"4.17".into())
    );
    let newer = json(&["versions", "6.1", "6.12", "--json"]);
    let ext =
        newer["differences"].as_array().unwrap().iter().find(|each| each["name"] == "SCHED_EXT");
    assert_eq!(ext.unwrap()["modelled"], false);
}

#[test]
fn a_change_replaces_what_the_release_before_had_not_what_a_posted_series_had() {
    let text = stdout(&["versions", "4.0", "4.1"]);
    assert!(text.contains("[kernel.rt_push_ipi: off -> on]"), "{text}");
    assert!(text.contains("[kernel.rt_balance: active_plist -> ipi_4_1]"), "{text}");
}

#[test]
fn equal_releases_do_not_differ() {
    for [one, other] in [["6.12", "6.12"], ["6.8.0-45-generic", "6.8"]] {
        let text = stdout(&["versions", one, other]);
        assert!(text.ends_with(": nothing that is known of the scheduler differs\n"), "{text}");
    }
}

#[test]
fn one_release_is_described_row_by_row_with_how_well_each_value_is_known() {
    let text = stdout(&["versions", "6.12.117"]);
    assert!(text.starts_with("6.12.117: of "), "{text}");
    assert!(text.contains("kernel.rt_push_ipi"), "{text}");
    assert!(text.contains("\nIn this release, and not modelled here:\n"), "{text}");
}

#[test]
fn what_is_no_release_is_refused_with_the_nearest_below_it() {
    let all = "one from 2.6.24 to 7.3 is needed, as uname -r prints it";
    refused(&["versions", "7.4"], 2, &["there is no such release", all, "below it is 7.3"]);
    refused(&["versions", "6.12", "6.20"], 2, &[all, "below it is 6.19"]);
    refused(&["versions", "2.6.20"], 2, &[all]);
    refused(&["versions", "six"], 2, &[all]);
    refused(&["versions"], 2, &["<A>"]);
    refused(&["versions", "6.1", "6.6", "6.12"], 2, &["6.12"]);
}

#[test]
fn a_distributions_kernel_is_read_and_its_own_patches_are_said_not_to_be_known() {
    let output = schedscope(&["versions", "6.8.0-45-generic"]);
    assert!(text(&output.stdout).starts_with("6.8: of "));
    assert!(stderr(&output).contains("what the distribution changed in it is not known"));
    assert!(stderr(&output).contains("`uname -v` has it"));
}
