//! What changed between two releases, part by part of the scheduler.

use std::collections::BTreeMap;

use schedscope_engine::kernel::config::Version;
use schedscope_runs::Failure;
use schedscope_scenario::versions::{Difference, Step, between};
use serde_json::json;

use super::lines::lines;
use crate::results;

/// The column of a change's texts, after its release.
const INDENT: usize = 12;

pub fn as_json(one: Version, other: Version) -> Result<String, Failure> {
    let [old, new] = [one.min(other), one.max(other)];
    results::as_json(&json!({ "from": old, "to": new, "differences": between(old, new) }))
}

pub fn print(one: Version, other: Version) -> Result<(), Failure> {
    let [old, new] = [one.min(other), one.max(other)];
    let differences = between(old, new);
    let [modelled, lacking] = [true, false]
        .map(|is_modelled| differences.iter().filter(|each| each.modelled == is_modelled).count());
    let mut text = format!("{old} to {new}: {}\n", counted(modelled, lacking));
    text.push_str(&doubts(&differences, [old, new]));
    for of_part in differences.chunk_by(|one, next| one.part == next.part) {
        text.push_str(&format!("\n{}\n", of_part[0].part.title()));
        text.extend(
            of_part.iter().flat_map(|each| {
                each.steps.iter().map(move |step| step_text(each, step, [old, new]))
            }),
        );
    }
    results::print(&text)
}

fn counted(modelled: usize, lacking: usize) -> String {
    match (modelled, lacking) {
        (0, 0) => "nothing that is known of the scheduler differs".to_owned(),
        (_, 0) => format!("{} of the scheduler", changes(modelled)),
        (0, _) => format!("{} of the scheduler, not modelled here", changes(lacking)),
        _ => {
            format!("{} of the scheduler, and {lacking} not modelled here", changes(modelled))
        }
    }
}

fn changes(count: usize) -> String {
    format!("{count} change{}", if count == 1 { "" } else { "s" })
}

/// How many of the differing values were not read, in a line for each way of knowing them.
fn doubts(differences: &[Difference], releases: [Version; 2]) -> String {
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for difference in differences {
        for (place, valued) in difference.values.iter().enumerate() {
            if valued.known != "read" {
                *counts.entry((place, valued.known.as_str())).or_default() += 1;
            }
        }
    }
    let line = |((place, known), count): ((usize, &str), usize)| {
        let [of, are] = if count == 1 { ["value of", "is"] } else { ["values of", "are"] };
        let release = releases[place];
        let how = match known.strip_prefix("from ") {
            Some(near) => format!("taken from {near}: the source of {release} was not read"),
            None => known.to_owned(),
        };
        lines(0, 0, &format!("{count} {of} {release} {are} {how}."))
    };
    counts.into_iter().map(line).collect()
}

/// One change in lines: what changed, what one sees, the remedy, the row and the source.
pub fn step_text(difference: &Difference, step: &Step, [old, new]: [Version; 2]) -> String {
    let lost = if difference.is_lost { format!("In {old}, not in {new}: ") } else { String::new() };
    let head = format!("{:width$}{lost}{}", step.came.to_string(), step.says, width = INDENT - 2);
    let mut text = format!("\n{}", lines(2, INDENT, &head));
    if !step.seen.is_empty() && !difference.is_lost {
        text.push_str(&lines(INDENT, INDENT, &format!("You see: {}", step.seen)));
    }
    if !step.back.is_empty() {
        text.push_str(&format!("{:INDENT$}Take it back: {}\n", "", step.back));
    }
    text + &lines(INDENT, INDENT, &origin(difference, step))
}

/// The row, its values, and where the change comes from.
fn origin(difference: &Difference, step: &Step) -> String {
    let row = if difference.modelled {
        let [before, value] = &step.values;
        format!("[{}: {before} -> {value}]", difference.name)
    } else {
        format!("[not modelled: {}]", difference.name)
    };
    let release = step.release.to_string();
    if step.stable.is_empty() && step.source.contains(&release) {
        return format!("{row} {}", step.source);
    }
    let stable: Vec<String> = step.stable.iter().map(Version::to_string).collect();
    let also = if stable.is_empty() { String::new() } else { format!(", {}", stable.join(", ")) };
    format!("{row} {release}{also}: {}", step.source)
}
