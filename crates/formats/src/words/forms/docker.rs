//! `docker run`, `create` and `update` (also podman and nerdctl): `--cpus`, or `--cpu-quota` with
//! `--cpu-period`; `--cpu-shares` and `--cpuset-cpus` beside them.

mod options;

use crate::words::amounts::{self, quoted};
use crate::words::case::{Case, Note};
use crate::words::form::Form;
use crate::words::group::Group;
use crate::words::limit::{PERIOD_US, weight_of_shares};
use crate::words::quantity;
use crate::words::{marks::unwrapped, paste::Piece};

use options::Options;

pub(super) const FORM: Form = Form {
    name: "docker",
    title: "docker run, podman run",
    example: "docker run -it --cpus=1.5 --cpu-shares 512 nginx",
    read,
};

/// CPU options that are read.
const READ: &[&str] = &["cpus", "cpu-quota", "cpu-period", "cpu-shares", "cpuset-cpus"];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let words = unwrapped(&piece.pipeline()?[0].words);
    let (program, rest) = words.split_first()?;
    if !matches!(program.rsplit('/').next()?, "docker" | "podman" | "nerdctl" | "crictl") {
        return None;
    }
    if let Some(note) = printing(rest, case) {
        return Some(note);
    }
    let options = Options::of(rest)?;
    let mut group =
        Group { name: options.name().map(str::to_owned), kind: "container", ..Group::default() };
    match limit(&options) {
        Ok(limit) => {
            // `update` leaves what it does not name as it was.
            let is_stated = limit.is_some() || options.command != "update";
            group.quota_us = is_stated.then(|| limit.map(|(quota_us, _)| quota_us));
            group.period_us = limit.map(|(_, period_us)| period_us);
        }
        Err(wrong) => group.wrong = Some(format!("{wrong}.")),
    }
    if let Some(value) = options.value("cpu-shares") {
        shares(&mut group, "--cpu-shares", value);
    }
    if let Some(cpuset) = options.value("cpuset-cpus") {
        group.on_cpus(cpuset);
    }
    remarks(&options, &mut group);
    let who = group.who();
    if options.image.is_none() && options.command != "update" {
        case.ask("The image that runs: no word of the command is one.");
    }
    if options.command == "update" {
        case.groups.change(group);
    } else {
        case.groups.put(group);
    }
    Some(Note::used(format!("CPU time of the {who}")))
}

/// Commands whose output other forms read.
fn printing(words: &[String], case: &mut Case) -> Option<Note> {
    let begin = usize::from(words.first().is_some_and(|word| word == "container"));
    let rest = &words[begin..];
    match rest.first().map(String::as_str)? {
        "inspect" | "stats" | "ps" | "inspecti" => {
            Some(Note::left_out("prints what the next lines say"))
        }
        // The container's name follows the options; a command of its own follows the name.
        "exec" => {
            let at =
                rest.iter().position(|word| matches!(word.as_str(), "cat" | "head" | "grep"))?;
            let name = rest[1..at].iter().rfind(|word| !word.starts_with('-'));
            super::cfs::inside(name.map(String::as_str), "container", &rest[at..], case)
        }
        _ => None,
    }
}

/// Which options are not the tool's, and what they say beside the limit.
fn remarks(options: &Options<'_>, group: &mut Group) {
    let image = options.image.map(quoted).unwrap_or_default();
    let behind: Vec<String> = options
        .behind
        .iter()
        .filter(|word| word.starts_with("--cpu"))
        .map(|word| quoted(word))
        .collect();
    if !behind.is_empty() {
        group.remark(format!(
            "Behind the image {image} options belong to the program in the container: {} sets no \
             limit.",
            amounts::listed(&behind)
        ));
    }
    if !options.unsure.is_empty() {
        let unsure: Vec<String> = options.unsure.iter().map(|word| quoted(word)).collect();
        let which = if image.is_empty() {
            "no image follows".to_owned()
        } else {
            format!("the image is {image}")
        };
        group.remark(format!(
            "It is not known here whether {} takes a value. Taken: the next word is it, and \
             {which}.",
            amounts::listed(&unsure)
        ));
    }
    let others: Vec<String> = options
        .names()
        .filter(|name| name.starts_with("cpu") && !READ.contains(name))
        .map(|name| format!("--{name}"))
        .collect();
    if !others.is_empty() {
        group.remark(format!("Left out, with nothing like it here: {}.", amounts::listed(&others)));
    }
}

/// Quota and period; none: no limit. A sentence without its end where docker would refuse it.
fn limit(options: &Options<'_>) -> Result<Option<(u64, u64)>, String> {
    let (quota, period) = (options.value("cpu-quota"), options.value("cpu-period"));
    if let Some(cpus) = options.value("limit-cpu") {
        return of_cpus("--limit-cpu", cpus);
    }
    if let Some(cpus) = options.value("cpus") {
        if quota.is_some() || period.is_some() {
            return Err("docker takes --cpus or --cpu-quota with --cpu-period, not both".to_owned());
        }
        return of_cpus("--cpus", cpus);
    }
    let Some(quota) = quota.filter(|quota| !matches!(*quota, "0" | "-1")) else { return Ok(None) };
    let us = |key: &str, text: &str| {
        quantity::count(text).ok_or_else(|| {
            format!("{key} is {}; expected microseconds such as 150000", quoted(text))
        })
    };
    let period_us = period.map_or(Ok(PERIOD_US), |period| us("--cpu-period", period))?;
    Ok(Some((us("--cpu-quota", quota)?, if period_us == 0 { PERIOD_US } else { period_us })))
}

/// Quota and period of so many CPUs; none: 0, which docker takes as no limit.
///
/// # Errors
/// It is no number of CPUs: a sentence without its end.
pub(super) fn of_cpus(key: &str, text: &str) -> Result<Option<(u64, u64)>, String> {
    let Some(cpus) = quantity::decimal(text) else {
        return Err(format!("{key} is {}; expected a number of CPUs such as 1.5", quoted(text)));
    };
    let quota_us = (cpus * PERIOD_US as f64).round() as u64;
    Ok((cpus > 0.0).then_some((quota_us, PERIOD_US)))
}

/// Shares, 1024 by default, as the group's weight.
pub(super) fn shares(group: &mut Group, key: &str, text: &str) {
    let Some(shares) = quantity::count(text).filter(|shares| *shares > 0) else { return };
    let weight = weight_of_shares(shares);
    group.weight = Some(weight);
    group.remark(format!(
        "{key} {} sets cpu.weight {weight} (newer container runtimes use another formula): shares \
         count only where groups compete for a CPU.",
        quoted(text)
    ));
}
